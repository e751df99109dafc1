import { describe, expect, it } from 'vitest';
import { nodesThatMayBeFenced, type Fault } from './fault.js';
import { FAULT_KINDS, planOf } from './plan.js';

const LEASE_MS = 6_000;
const rounds = (seed: number, number: number, kinds = FAULT_KINDS) => {
  const plan = planOf(seed, LEASE_MS, kinds);
  return Array.from({ length: number }, () => plan.next().value);
};
const faultsOf = (seed: number, number: number, kinds = FAULT_KINDS): readonly Fault[] =>
  rounds(seed, number, kinds).flatMap(({ faults }) => faults.map(({ fault }) => fault));

describe('the plan of a chaos run', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(rounds(7, 20)).toEqual(rounds(7, 20));
    expect(rounds(7, 20)).not.toEqual(rounds(8, 20));
  });

  it('has faults of every kind, or of those that are asked for', () => {
    expect(new Set(faultsOf(1, 200).map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
    expect(new Set(faultsOf(1, 50, ['freeze', 'kill']).map(({ kind }) => kind))).toEqual(new Set(['freeze', 'kill']));
  });

  it('puts the database back once in a round', () => {
    for (const { faults } of rounds(1, 20, ['restored-database'])) expect(faults).toHaveLength(1);
  });

  it('names each node once in a fault', () => {
    for (const fault of faultsOf(1, 200)) {
      if ('targets' in fault) expect(new Set(fault.targets).size).toBe(fault.targets.length);
    }
  });
});

describe('who may be fenced for a fault', () => {
  it.each<[string, Fault, readonly string[]]>([
    ['a node whose agent was dead for a lease', { kind: 'kill', target: 'n1', ms: LEASE_MS }, ['n1']],
    ['not one whose agent came back at once', { kind: 'kill', target: 'n1', ms: 200 }, []],
    ['a node without power, however soon it is back', { kind: 'power-cut', target: 'n2', ms: 200 }, ['n2']],
    ['nobody for the death of a server', { kind: 'kill', target: 'api-1', ms: 60_000 }, []],
    ['nobody for a server that is cut off', { kind: 'partition', targets: ['postgresql'], direction: 'both', ms: 60_000 }, []],
    ['nodes that are cut off for long', { kind: 'partition', targets: ['n1', 'n4'], direction: 'inbound', ms: 20_000 }, ['n1', 'n4']],
    ['nobody for a clock', { kind: 'clock-step', target: 'n1', seconds: 3600, ms: 20_000 }, []],
    ['nobody for some lost packets', { kind: 'packet-loss', targets: ['n1'], percent: 10, ms: 20_000 }, []],
  ])('%s', (_, fault, nodes) => {
    expect(nodesThatMayBeFenced(fault, LEASE_MS)).toEqual(nodes);
  });
});
