import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';

/** Start of the tests' time; each event is a second later. */
export const EPOCH = Date.UTC(2026, 0, 1);

export function append(state: ClusterState, ...events: readonly ClusterEvent[]): ClusterState {
  return events.reduce((folded, event) => {
    const version = folded.version + 1;
    return evolve(folded, {
      version,
      occurredAt: new Date(EPOCH + version * 1000).toISOString(),
      actor: 'test',
      correlationId: 'c',
      event,
    });
  }, state);
}

/** Runs commands one after another; each must be accepted. */
export function execute(state: ClusterState, ...commands: readonly ClusterCommand[]): ClusterState {
  return commands.reduce((folded, command) => {
    const decision = decide(command, folded);
    if (!decision.ok) throw new Error(`${command.type} was refused: ${decision.rejection.message}`);
    return append(folded, ...decision.events);
  }, state);
}

/** What stands in `crm_config`, `resources`, `constraints` and after them. */
interface Written {
  readonly options?: string;
  readonly resources?: string;
  readonly constraints?: string;
  readonly more?: string;
}

/** A cluster of n1, n2, n3, all joined; also of a configuration that has to be forced. */
export function threeNodes(config: Written = {}): ClusterState {
  const nodes = ['n1', 'n2', 'n3'];
  const cib =
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
    `<crm_config><cluster_property_set id="o">${config.options ?? ''}</cluster_property_set></crm_config>` +
    `<nodes>${nodes.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes>` +
    `<resources>${config.resources ?? ''}</resources><constraints>${config.constraints ?? ''}</constraints>${config.more ?? ''}</configuration><status/></cib>`;
  return execute(
    initialState(),
    { type: 'create-cluster', name: 'c', cib, force: true },
    ...nodes.map((node): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 })),
  );
}

export function option(name: string, value: string): string {
  return `<nvpair id="o-${name}" name="${name}" value="${value}"/>`;
}

/** A transition that has actions runs. @param now epoch seconds */
export function planned(state: ClusterState, now = 0): ClusterState {
  return execute(state, {
    type: 'plan-transition',
    plan: {
      inputVersion: state.version,
      now,
      schedulerVersion: 't',
      digest: 'd',
      counts: { actions: 1, pseudo: 0, fencing: 1 },
      trigger: 't',
      summary: [],
    },
  });
}
