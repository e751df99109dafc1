import { includesRole, reaches, type OperatorPrincipal } from '@systole/access';
import type { KnownCluster } from '@systole/read-models';

/**
 * Whether somebody who follows all clusters is shown an event of one. Of a cluster that was deleted everybody it was for hears that it is over; what was before is for administrators, who are for it by its id: its name may
 * be another one's by now, or may yet be.
 *
 * @param cluster undefined: there is no such cluster any more that anything is known of
 */
export function isShownTo(
  operator: Pick<OperatorPrincipal, 'role' | 'clusters' | 'clusterNames'>,
  { streamId, type }: { readonly streamId: string; readonly type: string },
  cluster: Pick<KnownCluster, 'id' | 'name' | 'deleted'> | undefined,
): boolean {
  if (cluster === undefined) return reaches(operator, { id: streamId });
  if (!cluster.deleted || type === 'ClusterDeleted') return reaches(operator, cluster);
  return includesRole(operator.role, 'admin') && reaches(operator, { id: cluster.id });
}
