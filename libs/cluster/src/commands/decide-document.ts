import { changeDocument, type DocumentChangeFault, type Sealing } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configuredNodes, configurationOf, editConfiguration } from '../state/configuration.js';
import { mayRun } from '../state/stopping.js';
import { changeConfiguration } from './configuration-change.js';
import type { Decision, RejectionCode } from './decision.js';
import type { ChangeDocument } from './operator-command.js';
import { reject } from './rejection.js';

const CODES: Readonly<Record<DocumentChangeFault['kind'], RejectionCode>> = {
  'not-found': 'element-not-found',
  exists: 'element-exists',
  invalid: 'invalid-configuration',
};

/** Changes by element as one change of the configuration, or none. The event's arguments name the operations; its changes have the contents. */
export function changeDocumentBy(command: ChangeDocument, state: ClusterState, sealing?: Sealing): Decision {
  const { type, changes, force, agents, reason } = command;
  const changed = changeDocument(configurationOf(state.cib), changes);
  if (!changed.ok) {
    const { kind, message, index } = changed.fault;
    return reject(state, CODES[kind], message, { pointer: `/changes/${String(index)}` });
  }
  const next = editConfiguration(state.cib, () => changed.configuration);
  const remaining = new Set(configuredNodes(next).map(({ name }) => name));
  const running = Object.values(state.nodes).find(
    (member) => isConfigured(state, member.name) && !remaining.has(member.name) && mayRun(member),
  );
  if (running !== undefined) {
    const message = `${running.name} may run resources: stop its agent, fence it, or confirm that it is down; then delete it`;
    return reject(state, 'still-active', message, { pointer: '/changes' });
  }
  const given = { changes: changes.map(({ operation, within }) => ({ operation, ...(within === undefined ? {} : { within }) })) };
  const secrets = sealing === undefined ? undefined : { sealing, of: 'changed' as const, restored: false };
  return changeConfiguration(
    state,
    next,
    { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) },
    { written: 'edited', doubts: force === true ? 'force' : 'refuse', agents, secrets },
  );
}

function isConfigured(state: ClusterState, node: string): boolean {
  return configuredNodes(state.cib).some(({ name }) => name === node);
}
