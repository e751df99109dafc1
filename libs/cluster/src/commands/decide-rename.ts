import {
  childrenNamed,
  firstChildNamed,
  isIdTaken,
  isNodeName,
  NODE_NAME_SAYS,
  primitiveIdOf,
  readingOf,
  replaceElement,
  withIdRenamed,
  withNodeRenamed,
  type Sealing,
} from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import { leftRunning } from '../lease/left-running.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { isKnownNode } from '../remote/remote-nodes.js';
import { configurationOf, configuredNodes, remoteNodeNamed, editConfiguration } from '../state/configuration.js';
import { historyOf, mayBeActive, resourcesWithHistory } from '../state/history.js';
import { mayRun } from '../state/stopping.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { withAttributes } from '../state/tree.js';
import type { Decision } from './decision.js';
import { changeConfiguration, type Written } from './configuration-change.js';
import type { RenameNode, RenameResource } from './operator-command.js';
import { reject } from './rejection.js';
import { resourceTarget } from './resource-target.js';

/** As ids are in XML, without colons, which number instances. */
const RESOURCE_ID = /^[A-Za-z_][A-Za-z0-9._-]{0,254}$/;

export function renameResource({ type, resource: from, to, reason }: RenameResource, state: ClusterState, sealing?: Sealing): Decision {
  const found = readingOf(state.cib, planTime(state)).resource(from);
  if (found === undefined) {
    const target = resourceTarget(state, from, 'own');
    if ('ok' in target) return target;
  }
  const at = { pointer: '/to' };
  if (!RESOURCE_ID.test(to))
    return reject(
      state,
      'invalid-argument',
      `${to} can't be the id of a resource: letters, digits, . _ - are allowed, and a letter or _ comes first`,
      at,
    );
  const configuration = configurationOf(state.cib);
  if (isIdTaken(configuration, to)) return reject(state, 'invalid-argument', `something in the configuration is called ${to} already`, at);
  const places = placesOf(state, from, found?.kind === 'bundle');
  if (places.active.length > 0) {
    const message = `${from} is, or may be, active on ${places.active.join(', ')}, where it is known by its id: disable it first, rename it, and enable ${to}`;
    const issues = places.active.map((node) => ({
      message: `${from} is, or may be, active on ${node}`,
      about: { kind: 'node', id: node },
    }));
    return reject(state, 'still-active', message, { pointer: '/resource', issues });
  }
  const next = editConfiguration(state.cib, (before) => withIdRenamed(before, from, to));
  const asked = { command: type, arguments: { resource: from, to }, ...(reason === undefined ? {} : { reason }) };
  const changed = changeConfiguration(state, next, asked, { written: 'edited', doubts: 'none', secrets: secretsOfRenamed(sealing) });
  if (!changed.ok) return changed;
  const why = reason === undefined ? {} : { reason };
  const forgotten = places.known.flatMap((of): ClusterEvent[] => [
    { type: 'FailuresCleared', data: { ...of, ...why } },
    { type: 'HistoryDeleted', data: { ...of, ...why } },
  ]);
  return { ...changed, events: [...changed.events, ...forgotten] };
}

/** Secrets are kept by the name of whose they are. That is nobody else now, whoever asks; and without a key there is none to be kept anew. */
function secretsOfRenamed(sealing: Sealing | undefined): Written['secrets'] {
  return sealing?.mayKeep === true ? { sealing: { ...sealing, mayMove: true }, of: 'changed', restored: false } : undefined;
}

/** What is known by an id: histories of a primitive and its instances, or of what a bundle makes; and names of the nodes where any of it may be active, also of those that are away and may run on with it. */
function placesOf(
  state: ClusterState,
  id: string,
  isBundle: boolean,
): { readonly known: readonly { readonly resource: string; readonly node: string }[]; readonly active: readonly string[] } {
  const isMeant = (historyId: string): boolean => primitiveIdOf(historyId) === id || (isBundle && historyId.startsWith(`${id}-`));
  const known: { readonly resource: string; readonly node: string }[] = [];
  const active = new Set(leftRunning(state).flatMap(({ node, resources }) => (resources.some(isMeant) ? [node] : [])));
  for (const member of Object.values(state.nodes)) {
    const nodeState = nodeStateOf(state.cib, member);
    for (const resource of nodeState === undefined ? [] : resourcesWithHistory(nodeState).filter(isMeant)) {
      known.push({ resource, node: member.name });
      if (mayBeActive(historyOf(nodeState, resource), resource)) active.add(member.name);
    }
  }
  return { known, active: [...active] };
}

export function renameNode({ type, node: from, to, reason }: RenameNode, state: ClusterState): Decision {
  const section = firstChildNamed(configurationOf(state.cib), 'nodes');
  const entry = section && childrenNamed(section, 'node').find(({ attributes }) => attributes['uname'] === from);
  if (entry === undefined) return reject(state, 'node-not-found', `the configuration has no node ${from}`, { pointer: '/node' });
  const at = { pointer: '/to' };
  if (!isNodeName(to)) {
    return reject(state, 'invalid-argument', NODE_NAME_SAYS, at);
  }
  const implied = remoteNodeNamed(state.cib, from);
  if (implied !== undefined)
    return reject(state, 'invalid-argument', `${from} is a ${implied.kind} node, which has the name of its connection`, {
      pointer: '/node',
    });
  const known = isKnownNode(state, to) || configuredNodes(state.cib).some(({ id }) => id === to);
  if (known) return reject(state, 'invalid-argument', `there is, or was, a node called ${to}: choose another name`, at);
  const member = memberOf(state, from);
  if (member !== undefined && mayRun(member)) {
    const advice =
      member.membership === 'joined' ? 'stop its agent' : `fence it, or switch it off and run systole node confirm-down ${from}`;
    const message = `${from} is ${member.membership} and may run something: ${advice}, then rename it`;
    return reject(state, member.membership === 'joined' ? 'node-online' : 'still-active', message, { pointer: '/node' });
  }
  // With its old id it would be the node of that history, which the log knows by its old name.
  const renamed = replaceElement(state.cib, entry, withAttributes(entry, { id: to, uname: to }));
  const next = editConfiguration(renamed, (before) => withNodeRenamed(before, from, to));
  return changeConfiguration(state, next, {
    ...{ command: type, arguments: { node: from, to } },
    ...(reason === undefined ? {} : { reason }),
  });
}
