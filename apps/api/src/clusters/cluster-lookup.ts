import { Injectable } from '@nestjs/common';
import { includesRole, type OperatorPrincipal } from '@systole/access';
import { ClusterCatalog, type ClusterEntry } from '@systole/read-models';
import { HttpProblem } from '../http/problem.js';
import { UnlistedClusters } from './unlisted-clusters.js';

/** Finds the cluster that a path names by its id or its name. */
@Injectable()
export class ClusterLookup {
  constructor(
    private readonly catalog: ClusterCatalog,
    private readonly unlisted: UnlistedClusters,
  ) {}

  /** @throws {HttpProblem} 404; it says so when the list of clusters itself is incomplete */
  async find(idOrName: string): Promise<ClusterEntry> {
    const entry = idOrName.length <= 255 ? await this.catalog.find(idOrName) : undefined;
    if (entry !== undefined) return entry;
    const lost = await this.unlisted.text();
    throw clusterNotFound(idOrName, lost === undefined ? '' : `. It may be one that was lost: ${lost}`);
  }

  /**
   * The same for what is read back: administrators find a cluster that was deleted, too, by its id alone, for names are given again.
   *
   * @throws {HttpProblem} 404
   */
  async findEver(idOrName: string, { role }: Pick<OperatorPrincipal, 'role'>): Promise<Pick<ClusterEntry, 'id' | 'name'>> {
    if (!includesRole(role, 'admin') || idOrName.length > 255) return this.find(idOrName);
    const found = await this.catalog.named(idOrName);
    const deleted = found.find(({ id, deleted }) => deleted && id === idOrName);
    return deleted ?? this.find(idOrName);
  }
}

/** Also for whoever may not know that there is one. @param more what else is to be said */
export function clusterNotFound(idOrName: string, more = ''): HttpProblem {
  return new HttpProblem(404, 'cluster-not-found', `there is no cluster ${idOrName.slice(0, 80)}: see GET /v1/clusters${more}`);
}
