import type { GraphAction } from '@systole/scheduler';
import { isProbeInGraph } from './outlasting.js';

/** What becomes of an action that no agent is given. */
export type Refusal =
  /** The server says how it ended: what is asked for is so already, or is known not to be so. */
  | { readonly type: 'answer'; readonly status: 'done'; readonly rc: number }
  /** Nothing is done, nothing is recorded, and what waits for it goes on. */
  | { readonly type: 'pass' }
  /** Nothing is done, and what waits for it waits on. */
  | { readonly type: 'withhold' };

/**
 * What becomes of an action that no agent is given, as connections to remote nodes are not built yet; undefined for all others.
 *
 * - What is to happen on a remote or guest node, or inside of a bundle's container, has no agent there. The agent of the node that holds the connection would run it on its own node, where the
 *   resource may be active as well, and would tell of it as if it had happened there. So it is withheld; but a probe is passed over, since every start waits for the probes of all nodes.
 * - A connection (`ocf:pacemaker:remote`) is held by no program: the one of that name fails whatever it is asked, and the node on which its stop fails is fenced. So what is true is said: there is
 *   none, and stopping it leaves none. Its start, and watching it, is passed over rather than failed: for a failure the remote node, of which nobody knows anything, would be fenced, and the machine of a guest node
 *   restarted for ever.
 *
 * What asks for that is found in the configuration, and says so (`NOT_DONE`).
 */
export function refusalOf(action: GraphAction): Refusal | undefined {
  const { kind, operation, node, primitive } = action;
  if (kind !== 'rsc_op') return undefined;
  if (node?.router !== undefined) return { type: isProbeInGraph(action) ? 'pass' : 'withhold' };
  if (primitive?.class !== 'ocf' || primitive.provider !== 'pacemaker' || primitive.type !== 'remote') return undefined;
  if (isProbeInGraph(action)) return { type: 'answer', status: 'done', rc: 7 };
  switch (operation) {
    case 'stop':
    case 'cancel':
    case 'notify':
      return { type: 'answer', status: 'done', rc: 0 };
    default:
      return { type: 'pass' };
  }
}
