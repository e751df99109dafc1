import { describe, expect, it } from 'vitest';
import type { XmlElement } from '@systole/cib';
import { decide } from '../commands/decide.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import { initialState, type ClusterState } from './cluster-state.js';
import { writtenAttributes } from './written-attributes.js';
import { evolve } from './evolve.js';

const CIB =
  '<cib><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>';

function append(state: ClusterState, event: ClusterEvent): ClusterState {
  const version = state.version + 1;
  return evolve(state, { version, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'agent:n1', correlationId: 'c', event });
}

function joined(): ClusterState {
  const created = append(initialState(), { type: 'ClusterCreated', data: { name: 'c', cib: CIB } });
  return append(created, { type: 'NodeJoined', data: { node: 'n1', nodeId: '1', incarnation: 1, leaseMs: 5_000, agentVersion: '1' } });
}

type Lifetime = 'reboot' | 'forever';

function changed(state: ClusterState, lifetime: Lifetime, name: string, value: string | undefined): ClusterState {
  const of = { node: 'n1', name, lifetime, agent: 'n1', incarnation: 1 };
  const command: ClusterCommand =
    value === undefined ? { type: 'clear-node-attribute', ...of } : { type: 'set-node-attribute', ...of, value };
  const decision = decide(command, state);
  if (!decision.ok) throw new Error(decision.rejection.message);
  return decision.events.reduce(append, state);
}

/** The same document, whose indexes nobody has yet. */
function copied(element: XmlElement): XmlElement {
  return structuredClone(element);
}

/** Names by a sequence that jumps about, so that neither the first nor the last is always meant. */
function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `a${String((index * 37) % count)}`);
}

describe.each<Lifetime>(['reboot', 'forever'])('attributes of a node, by the hundred (%s)', (lifetime) => {
  it('are what a list of them would be, whatever is set, changed and cleared, and whoever goes on from an earlier version', () => {
    const expected = new Map<string, string>();
    let state = joined();
    const versions: { readonly state: ClusterState; readonly expected: ReadonlyMap<string, string> }[] = [];
    let seed = 7;
    for (let step = 0; step < 1_500; step++) {
      seed = (seed * 16_807) % 2_147_483_647;
      const name = `a${String(seed % 300)}`;
      const value = seed % 3 === 0 ? undefined : String(seed % 11);
      state = changed(state, lifetime, name, value);
      if (value === undefined) expected.delete(name);
      else expected.set(name, value);
      if (step % 300 === 0) versions.push({ state, expected: new Map(expected) });
      const known = versions[seed % versions.length];
      // Somebody else goes on from what was, and shares its indexes.
      if (known !== undefined && step % 7 === 0)
        changed(changed(known.state, lifetime, `b${String(step)}`, '1'), lifetime, name, undefined);
    }
    for (const known of [...versions, { state, expected }]) {
      const written = Object.fromEntries((writtenAttributes(known.state, 'n1') ?? []).map(({ name, value }) => [name, value]));
      expect(written).toEqual(Object.fromEntries(known.expected));
    }
    // What is decided and folded does not depend on the indexes.
    const fresh = { ...state, cib: copied(state.cib) };
    const [one, other] = [state, fresh].map((from) => names(300).reduce((at, name) => changed(at, lifetime, name, 'z'), from).cib);
    expect(one).toEqual(other);
  });

  it('are no more than an agent may set, however often they were changed and cleared before', () => {
    let state = joined();
    for (const name of names(400)) state = changed(state, lifetime, name, 'x'.repeat(2_000));
    for (const name of names(400)) state = changed(state, lifetime, name, undefined);
    const set = (at: ClusterState, name: string, value: string): boolean =>
      decide({ type: 'set-node-attribute', node: 'n1', name, lifetime, agent: 'n1', incarnation: 1, value }, at).ok;
    const whole = 1024 * 1024;
    expect([set(state, 'big', 'x'.repeat(whole - 3)), set(state, 'big', 'x'.repeat(whole - 2))]).toEqual([true, false]);
    state = changed(changed(state, lifetime, 'big', 'x'.repeat(1_000)), lifetime, 'big', 'x'.repeat(500));
    expect([set(state, 'more', 'x'.repeat(whole - 507)), set(state, 'more', 'x'.repeat(whole - 506))]).toEqual([true, false]);
  });
});

it('an attribute until the reboot costs what changes, not what is there: to set one takes about as long among a thousand as among a hundred', () => {
  const costOf = (count: number): number => {
    let state = joined();
    for (const name of names(count)) state = changed(state, 'reboot', name, '0');
    const took = Array.from({ length: 7 }, (_, round) => {
      const began = process.cpuUsage();
      for (const name of names(count).slice(0, 60))
        state = changed(changed(state, 'reboot', name, String(round)), 'reboot', name, String(round));
      const { user, system } = process.cpuUsage(began);
      return user + system;
    });
    return Math.min(...took);
  };
  costOf(200);
  const ratio = costOf(1_600) / costOf(200);
  expect(ratio).toBeLessThan(4);
});
