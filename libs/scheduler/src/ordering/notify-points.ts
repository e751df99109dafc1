import { requestPseudo } from '../requests/action-requests.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { Kind, relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import type { NotifyPhase, NotifyPoints } from '../model/notify-points.js';
import { INFINITY } from '../model/score.js';

/** Makes the four points of a phase, before its action and after its completion. */
export function createNotifyPoints(cluster: Cluster, resource: Resource, phase: NotifyPhase, action: Action, done: Action): NotifyPoints {
  const point = (type: string, confirmed: boolean, of: Action, operation: string, runnable: boolean): Action => {
    const keyType = confirmed ? `confirmed-${type}` : type;
    const made = requestPseudo(
      cluster,
      resource,
      `${resource.id}_${keyType}_notify_${operation}_0`,
      confirmed ? 'notified' : 'notify',
      of.optional,
      runnable,
    );
    made.meta.set('notify_key_type', keyType);
    made.meta.set('notify_key_operation', operation);
    made.meta.set('notify_type', type);
    made.meta.set('notify_operation', phase);
    return made;
  };
  const pre = point('pre', false, action, phase, true);
  const preDone = point('pre', true, action, phase, true);
  relate(pre, preDone, Kind.seq);
  relate(preDone, action, Kind.seq);
  const { post, postDone } = createPostPoints(done, (confirmed) => point('post', confirmed, done, done.task, done.runnable));
  relate(preDone, post, Kind.seq);
  return { pre, preDone, post, postDone };
}

/** The two points after a completion. */
export function createPostPoints(done: Action, point: (confirmed: boolean) => Action): { post: Action; postDone: Action } {
  const post = point(false);
  const postDone = point(true);
  for (const made of [post, postDone]) made.priority = INFINITY;
  relate(done, post, Kind.pullThen);
  relate(post, postDone, Kind.pullThen);
  return { post, postDone };
}

/** One phase is notified to its end before the other begins. */
export function relatePhases(earlier: NotifyPoints, later: NotifyPoints): void {
  if (later.pre) relate(earlier.postDone, later.pre, Kind.seq);
}
