import { debuggingOn } from '../debugging/debug-action.js';
import { executorsFor } from '../fencing/fencing-step.js';
import { fencingTimeoutMs } from '../fencing/fence-action.js';
import { fencingPlan } from '../fencing/topology.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import type { PowerOnNode } from './cluster-command.js';
import type { Decision } from './decision.js';
import { isKnownNode } from '../remote/remote-nodes.js';
import { accept, reject } from './rejection.js';

/** By the first device of the topology that can, and a node that can use it and whose agent knows how. */
export function powerOnNode({ debugId, node: target, reason }: PowerOnNode, state: ClusterState): Decision {
  const at = { pointer: '/node' };
  const member = memberOf(state, target);
  if (!isKnownNode(state, target)) {
    return reject(state, 'node-not-found', `the cluster has no node ${target}`, at);
  }
  if (member?.membership === 'joined') return reject(state, 'node-online', `${target} holds a lease: it is on`, at);
  if (member !== undefined && member.membership !== 'left' && member.membership !== 'down') {
    const message = `${target} is ${member.membership}, and may run something: it is fenced first, or confirm that it is down (systole node confirm-down ${target})`;
    return reject(state, 'still-active', message, at);
  }
  const isFenced = Object.values(state.fencing).some((attempt) => attempt.target === target);
  const isAsked = joinedNodes(state).some((name) => debuggingOn(state, name).some((pending) => pending.target === target));
  if (isFenced || isAsked) {
    return reject(state, 'debug-running', `a fence device is at work on ${target}: try again when it has ended`, at);
  }
  const turns = fencingPlan(state, target, 'on').flat();
  if (turns.length === 0) {
    return reject(state, 'fencing-not-found', `no fence device can switch ${target} on: add one, or switch it on by hand`, at);
  }
  for (const { device } of turns) {
    for (const executor of executorsFor(state, device, target)) {
      const by = memberOf(state, executor);
      if (by?.debugOperations !== true || debuggingOn(state, executor).some(({ resource }) => resource === device.id)) continue;
      return accept({
        type: 'DebugOperationRequested',
        data: {
          ...{ debugId, node: executor, incarnation: by.incarnation, resource: device.id, operation: 'on', target },
          timeoutMs: fencingTimeoutMs(state, device, 'on'),
          ...(reason === undefined ? {} : { reason }),
        },
      });
    }
  }
  const devices = [...new Set(turns.map(({ device }) => device.id))].join(', ');
  return reject(state, 'node-offline', `no node is online that could use ${devices} now, and whose agent knows how (protocol 1.7)`, at);
}
