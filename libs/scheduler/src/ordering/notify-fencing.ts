import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { Resource } from '../model/resource.js';
import { requestPseudo } from '../requests/action-requests.js';
import { createPostPoints } from './notify-points.js';
import { createInstanceNotifications } from './notify-instances.js';

/** Instances are told that fencing has stopped one of them (specification 07 §8.6). */
export function notifyImpliedStop(cluster: Cluster, resource: Resource, stop: Action, fencing: Action): void {
  const { post, postDone } = createPostPoints(fencing, (confirmed) => {
    const keyType = confirmed ? 'confirmed-post' : 'post';
    const key = `${resource.id}_${keyType}_notify_stonith_0`;
    const made = requestPseudo(cluster, resource, key, confirmed ? 'notified' : 'notify', fencing.optional, fencing.runnable);
    made.meta.set('notify_key_type', keyType);
    made.meta.set('notify_key_operation', 'stonith');
    made.meta.set('notify_type', 'post');
    made.meta.set('notify_operation', 'stop');
    return made;
  });
  const keys = new Map([
    ['notify_stop_resource', resource.id],
    ['notify_stop_uname', stop.node?.name ?? ' '],
  ]);
  createInstanceNotifications(cluster, resource.top, 'stop', { pre: undefined, preDone: undefined, post, postDone }, keys, true);
}
