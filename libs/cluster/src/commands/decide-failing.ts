import { primitiveIdOf } from '@systole/cib';
import { isKnownNode } from '../remote/remote-nodes.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historyOf, isActive } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { presentKey } from '../state/present-key.js';
import { primitivesOf } from '../state/primitives-of.js';
import type { FailResource } from './cluster-command.js';
import type { Decision } from './decision.js';
import { accept, reject } from './rejection.js';

/** What Pacemaker calls the failure of a resource that nobody asked after. */
const OPERATION = 'asyncmon';
/** OCF: generic error. */
const RC_ERROR = 1;

export function failResource({ resource: id, node, now }: FailResource, state: ClusterState): Decision {
  const at = { pointer: '/resource' };
  const primitives = primitivesOf(state, id) ?? primitivesOf(state, primitiveIdOf(id));
  if (primitives === undefined) return reject(state, 'resource-not-found', `the cluster has no resource ${id}`, at);
  const [primitive] = primitives;
  if (primitive !== primitiveIdOf(id)) {
    const message = `${id} is no primitive: name what is to count as failed, one of ${primitives.join(', ')}`;
    return reject(state, 'invalid-argument', message, at);
  }
  if (!isKnownNode(state, node)) return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  const member = memberOf(state, node);
  const nodeState = member && nodeStateOf(state.cib, member);
  const active = [id, primitive].find((one) => isActive(historyOf(nodeState, one), one));
  const history = active === undefined ? undefined : historyOf(nodeState, active);
  if (member?.membership !== 'joined' || active === undefined || history === undefined)
    return reject(state, 'place-not-clear', `${id} is not active on ${node}, so that it can't fail there`, at);
  const { class: standard = '', provider, type = '' } = history.attributes;
  return accept({
    type: 'OperationRecorded',
    data: {
      node,
      incarnation: 0,
      resource: active,
      class: standard,
      ...(provider === undefined ? {} : { provider }),
      agentType: type,
      operation: OPERATION,
      intervalMs: 0,
      status: 'done',
      rc: RC_ERROR,
      exitReason: 'Simulated failure',
      callId: 0,
      transitionKey: presentKey(state),
      lastRcChange: now,
      execMs: 0,
      queueMs: 0,
      late: false,
    },
  });
}
