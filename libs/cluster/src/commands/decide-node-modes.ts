import { FENCING_ACTION, readingOf } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import { askedAction } from '../fencing/requested-fencing.js';
import { resourcesOf } from '../lease/left-running.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { setPermanentAttribute, takesAnothersId } from '../state/configuration.js';
import { editNode } from '../state/members.js';
import { isAttributeSet } from '../state/node-attributes.js';
import { setTransientAttribute } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { writtenAttributes } from '../state/written-attributes.js';
import type { FenceNode, SetMaintenance, SetStandby } from './cluster-command.js';
import type { Decision } from './decision.js';
import { connectionFailures } from '../remote/connection.js';
import { isClusterMember, isKnownNode, isConfiguredNode } from '../remote/remote-nodes.js';
import { accept, reject } from './rejection.js';

/** Until its reboot only a node that is there can be in standby: what is known of one that is gone until then ends when it comes back. */
export function setStandby({ node, standby, lifetime = 'forever', reason }: SetStandby, state: ClusterState): Decision {
  if (standby && lifetime === 'reboot') return setStandbyUntilReboot(node, reason, state);
  const untilReboot =
    writtenAttributes(state, node)?.some((written) => written.name === 'standby' && written.lifetime === 'reboot') === true;
  if (standby || !untilReboot) return setMode({ node, name: 'standby', value: 'on' }, standby, reason, state);
  const because = reason === undefined ? {} : { reason };
  const cleared: ClusterEvent = { type: 'NodeAttributeCleared', data: { node, name: 'standby', lifetime: 'reboot', ...because } };
  const after = editNode(state, node, (nodeState, id) => setTransientAttribute(nodeState, id, 'standby', undefined));
  const permanent = setMode({ node, name: 'standby', value: 'on' }, false, reason, after);
  return permanent.ok ? { ok: true, events: [cleared, ...permanent.events] } : permanent;
}

function setStandbyUntilReboot(node: string, reason: string | undefined, state: ClusterState): Decision {
  const member = memberOf(state, node);
  if (!isKnownNode(state, node)) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  if (member?.membership !== 'joined') {
    const message = `${node} is not online, and comes back without standby: put it in standby for ever, or when it is back`;
    return reject(state, 'node-offline', message, { pointer: '/node' });
  }
  const because = reason === undefined ? {} : { reason };
  return accept({ type: 'NodeAttributeSet', data: { node, name: 'standby', value: 'on', lifetime: 'reboot', ...because } });
}

export function setMaintenance({ node, maintenance, reason }: SetMaintenance, state: ClusterState): Decision {
  return setMode({ node, name: 'maintenance', value: 'true' }, maintenance, reason, state);
}

function setMode(
  { node, name, value }: { readonly node: string; readonly name: 'standby' | 'maintenance'; readonly value: string },
  on: boolean,
  reason: string | undefined,
  state: ClusterState,
): Decision {
  if (!isConfiguredNode(state, node)) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  const written = setPermanentAttribute(state.cib, node, name, on ? value : undefined);
  if (isAttributeSet({ ...state, cib: written }, node, name, planTime(state)) !== on) {
    const is = on ? 'would not be' : 'would stay';
    const message = `${node} ${is} in ${name}: another set of its attributes decides, by a rule, a reference or until its reboot. Change the attribute ${name} there`;
    return reject(state, 'attribute-overridden', message, { pointer: '/node' });
  }
  const data = { node, name, lifetime: 'forever', ...(reason === undefined ? {} : { reason }) } as const;
  const ids = takesAnothersId(state.cib, node, name) ? { uniqueIds: true as const } : {};
  const event: ClusterEvent = on ? { type: 'NodeAttributeSet', data: { ...data, value, ...ids } } : { type: 'NodeAttributeCleared', data };
  return accept(event);
}

/**
 * Asks for the fencing of a node that may run something. One that went in order counts as off for the scheduler, which fences no such node, whatever may run on
 * there: that is left to a person.
 */
export function fenceNode({ node, action, reason }: FenceNode, state: ClusterState): Decision {
  const member = memberOf(state, node);
  if (!isKnownNode(state, node)) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  if (!readingOf(state.cib, planTime(state)).options.flag('fencing-enabled')) {
    const message = `fencing is switched off: switch ${node} off by hand, then run systole node confirm-down ${node}`;
    return reject(state, 'fencing-disabled', message);
  }
  if (member === undefined) {
    const message = `${node} never joined: it is fenced when startup-fencing asks for it (at once with systole node allow-fencing ${node})`;
    return reject(state, 'node-offline', message, { pointer: '/node' });
  }
  const gone = goneInOrder(member);
  if (gone !== undefined) return reject(state, 'node-offline', gone, { pointer: '/node' });
  const why = reason === undefined ? {} : { reason };
  const set = (name: string, value: string): ClusterEvent => ({
    type: 'NodeAttributeSet',
    data: { node, name, value, lifetime: 'reboot', ...why },
  });
  // How comes first: the other one sets the scheduler going. Asked for anew without, what was asked before does not count any more.
  const how: readonly ClusterEvent[] =
    action !== undefined
      ? [set(FENCING_ACTION, action)]
      : askedAction(state, node) === undefined
        ? []
        : [{ type: 'NodeAttributeCleared', data: { node, name: FENCING_ACTION, lifetime: 'reboot', ...why } }];
  if (isClusterMember(member)) return accept(...how, set('terminate', 'true'));
  // The scheduler reads that attribute of cluster nodes only: a remote node is fenced, and what a guest runs in restarted, when its connection fails.
  const failed = connectionFailures(state, node, planTime(state), 'its fencing was asked for');
  if (failed.length === 0) {
    const message = `the connection to ${node} is not up, so nothing runs there as far as the cluster knows: switch it off by hand, then run systole node confirm-down ${node}`;
    return reject(state, 'node-offline', message, { pointer: '/node' });
  }
  return accept(...how, set('terminate', 'true'), ...failed);
}

/** Why a node is not fenced although somebody asks for it, and what to do; undefined for one that the scheduler fences. */
function goneInOrder({ name, membership, since, leftRunning, overBefore }: NodeMember): string | undefined {
  if (membership === 'unheard' && overBefore === true) {
    return `${name} had left or was down before the event log went back in time, so it is not fenced: start its agent, or switch it off by hand, then run systole node confirm-down ${name}`;
  }
  if (membership === 'left' && leftRunning !== undefined) {
    return `${name} left since ${since}, so it is not fenced, but ${resourcesOf(leftRunning).join(', ')} may run on there unmanaged: stop that there or switch ${name} off by hand, then run systole node confirm-down ${name}`;
  }
  if (membership !== 'down' && membership !== 'left') return undefined;
  return `${name} ${membership === 'down' ? 'is down' : 'left'} since ${since}: there is nothing to fence`;
}
