import { alertCalls, type AlertCall, type AlertKind } from '@systole/cib';
import type { RecordedClusterEvent } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import { alertOccasion, isSelected } from './occasion.js';

/** That a node is to run the program of an alert once. */
export interface AlertOrder {
  readonly node: string;
  /** Id of the alert. */
  readonly alert: string;
  /** Id of the recipient; absent where the alert has none. */
  readonly recipient?: string;
  readonly kind: AlertKind;
  /** Version of the event in its stream; of a test: of the state in which it was asked for. */
  readonly version: number;
  readonly call: AlertProgram;
}

/** What is run, and what it is told. */
export interface AlertProgram {
  readonly path: string;
  readonly timeoutMs: number;
  readonly timestampFormat: string;
  /** When it happened, epoch ms. */
  readonly atMs: number;
  /** Of the environment, by their whole names; what is known on the node only is added there. */
  readonly variables: Readonly<Record<string, string>>;
  /** Instance attributes. References to secrets stand as they are. */
  readonly options: Readonly<Record<string, string>>;
}

/** The version of Pacemaker whose environment it is. */
const VERSION = '3.0.0';

/** Which programs run where for an event, in the order of the configuration; those of one node in the order in which they are to be begun. */
export function alertOrders(recorded: RecordedClusterEvent, before: ClusterState, after: ClusterState): readonly AlertOrder[] {
  const occasion = alertOccasion(recorded.event, before, after);
  if (occasion === undefined || occasion.on.length === 0) return [];
  const atMs = Date.parse(recorded.occurredAt);
  const calls = alertCalls(after.cib, atMs).filter(({ select }) => isSelected(select, occasion));
  const { kind, said, on } = occasion;
  return on.flatMap((node) => calls.map((call) => orderOf(call, { node, kind, version: recorded.version, atMs, said })));
}

/** Why an alert can't be tried. */
export type UntestableAlert =
  | { readonly problem: 'unknown-alert' }
  | { readonly problem: 'disabled' }
  | { readonly problem: 'node-not-joined'; readonly node: string }
  | { readonly problem: 'no-node' };

/**
 * Runs of an alert for each of its recipients that say that nothing has happened, whatever it selects. Told as something of a node, which every program knows.
 *
 * @param node where; undefined: on the first that is there
 * @param now epoch ms
 */
export function testOrders(
  state: ClusterState,
  alert: { readonly id: string; readonly isConfigured: boolean },
  node: string | undefined,
  now: number,
): readonly AlertOrder[] | UntestableAlert {
  if (!alert.isConfigured) return { problem: 'unknown-alert' };
  const on = node ?? joinedNodes(state)[0];
  if (on === undefined) return { problem: 'no-node' };
  const member = memberOf(state, on);
  if (member?.membership !== 'joined') return { problem: 'node-not-joined', node: on };
  const calls = alertCalls(state.cib, now).filter((call) => call.alert === alert.id);
  if (calls.length === 0) return { problem: 'disabled' };
  const said = { node: on, nodeid: member.id, desc: 'test' };
  return calls.map((call) => orderOf(call, { node: on, kind: 'node', version: state.version, atMs: now, said }));
}

interface Told {
  readonly node: string;
  readonly kind: AlertKind;
  readonly version: number;
  readonly atMs: number;
  readonly said: Readonly<Record<string, string>>;
}

function orderOf(
  { alert, path, recipient, timeoutMs, timestampFormat, options }: AlertCall,
  { node, kind, version, atMs, said }: Told,
): AlertOrder {
  const told = { version: VERSION, kind, recipient: recipient?.value ?? '', ...said };
  const variables = Object.fromEntries(Object.entries(told).map(([name, value]) => [`CRM_alert_${name}`, value]));
  return {
    ...{ node, alert, kind, version },
    ...(recipient === undefined ? {} : { recipient: recipient.id }),
    call: { path, timeoutMs, timestampFormat, atMs, variables, options },
  };
}
