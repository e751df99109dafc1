import { element, INFINITY_SCORE, parseScore } from '@systole/cib';
import { withoutChildren, type Draft } from './draft.js';
import type { WorkingCib } from './working-cib.js';

/** Says in a saved CIB that this didn't really happen. */
const ORIGIN = 'crm_simulate';

/** The node is a member of the cluster (specification 08 §10.2). */
export function bringOnline(state: Draft): void {
  state.setAll({ in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member', 'crm-debug-origin': ORIGIN });
}

/** The node is gone without a word: its history stays. */
export function failNode(state: Draft): void {
  state.setAll({ in_ccm: 'false', crmd: 'online', join: 'member', expected: 'member', 'crm-debug-origin': ORIGIN });
}

/** The node is down for certain, after fencing or an orderly end: nothing runs there any more (specification 08 §9.2). */
export function takeDown(state: Draft, cib: WorkingCib, origin = ORIGIN): void {
  state.setAll({ in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'down', 'crm-debug-origin': origin });
  for (const name of ['lrm', 'transient_attributes']) cib.removeFromState(state, name);
}

/** The operation whose failure is counted. */
export interface FailedOperation {
  readonly resource: string;
  readonly task: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly rc: number;
}

/** A node attribute that was set. */
export interface InjectedAttribute {
  readonly name: string;
  readonly value: string;
  /** Id of the node. */
  readonly nodeId: string;
}

/**
 * Raises a fail count, as transient attributes of the node (specification 08 §9.4): where the node keeps its attributes, which a running
 * cluster calls otherwise than the simulator would.
 *
 * @param fatal the failure counts as INFINITY.
 * @param clock real time, epoch seconds.
 * @returns the attributes that were set; none when the result is no failure.
 */
export function injectFailCount(state: Draft, failed: FailedOperation, fatal: boolean, clock: number): InjectedAttribute[] {
  const { resource, task, interval, rc } = failed;
  if (rc === 0 || (rc === 7 && interval === 0)) return [];
  const nodeId = state.get('id') ?? '';
  const attributes = state.firstOrNew('transient_attributes', { id: nodeId });
  const operation = `${resource}#${task}_${interval}`;
  const countName = `fail-count-${operation}`;
  const set = setWith(attributes, countName) ?? attributes.firstOrNew('instance_attributes', { id: nodeId });
  const count = fatal ? INFINITY_SCORE : Math.min((parseScore(pairNamed(set, countName)?.get('value')) ?? 0) + 1, INFINITY_SCORE);
  const pairs = [
    [countName, count === INFINITY_SCORE ? 'INFINITY' : String(count)],
    [`last-failure-${operation}`, String(clock)],
  ] as const;
  return pairs.map(([name, value]) => {
    const pair = pairNamed(set, name) ?? set.append(element('nvpair', { id: xmlId(`${set.get('id') ?? ''}-${name}`), name }));
    pair.set('value', value);
    return { name, value, nodeId };
  });
}

/** Takes every fail count of a resource, and when it failed last, off a `node_state`. */
export function forgetFailCounts(state: Draft, resource: string): void {
  const prefixes = [`fail-count-${resource}#`, `last-failure-${resource}#`];
  for (const set of state.first('transient_attributes')?.all('instance_attributes') ?? []) {
    set.rewrite((written) => withoutChildren(written, ({ name = '' }) => prefixes.some((prefix) => name.startsWith(prefix))));
  }
}

/** The set that holds an attribute. */
const setWith = (attributes: Draft, name: string): Draft | undefined =>
  attributes.all('instance_attributes').find((set) => pairNamed(set, name) !== undefined);

const pairNamed = (set: Draft, name: string): Draft | undefined => set.find('nvpair', (get) => get('name') === name);

/** Makes a text a valid XML id. */
function xmlId(text: string): string {
  return text.replace(/[^\w.-]/g, '.').replace(/^[0-9]/, '_');
}
