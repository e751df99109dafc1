import { readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { historyOf } from '../state/history.js';
import { transientAttribute } from '../state/node-state.js';
import { startedResult } from '../testing/started.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';

const NOW = 1_800_000_000;
const fail = (resource: string, node = 'n1'): ClusterCommand => ({ type: 'fail-resource', resource, node, now: NOW });
const dummy = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`;
const result = (id: string, operation = 'start'): ClusterCommand => ({
  type: 'record-results',
  node: 'n1',
  incarnation: 1,
  results: [startedResult(id, { operation, resultId: `${operation}-${id}` })],
});

function refusal(command: ClusterCommand, state: ClusterState): string {
  const decision = decide(command, state);
  return decision.ok ? 'accepted' : decision.rejection.code;
}

describe('a resource that is to count as failed', () => {
  const options = option('fencing-enabled', 'false') + option('no-quorum-policy', 'ignore');
  const before = execute(threeNodes({ options, resources: `${dummy('db')}<group id="G">${dummy('g')}</group>` }), result('db'));
  const nodeState = ({ cib }: ClusterState) =>
    cib.children
      .flatMap((one) => (one.kind === 'element' && one.name === 'status' ? one.children : []))
      .find((one) => one.kind === 'element' && one.attributes['uname'] === 'n1');

  it('is recovered, and its failure is counted, as of an operation of its own', () => {
    const failed = execute(before, fail('db'));
    const state = nodeState(failed);
    if (state?.kind !== 'element') throw new Error('n1 has no status');
    expect(transientAttribute(state, 'fail-count-db#asyncmon_0')).toBe('1');
    expect(historyOf(state, 'db')?.children).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ id: 'db_last_failure_0', 'exit-reason': 'Simulated failure', 'rc-code': '1' }) as unknown,
      }),
    );
    const { actions } = schedule(readCib(failed.cib), { now: NOW + 1 });
    expect(actions.filter(({ resource }) => resource === 'db').map(({ operation }) => operation)).toEqual(['stop', 'start']);
  });

  it('is told again when it fails again', () => {
    const state = nodeState(
      execute(
        before,
        fail('db'),
        { ...result('db'), results: [startedResult('db', { resultId: 'again', callId: 9 })] } as ClusterCommand,
        fail('db'),
      ),
    );
    expect(state?.kind === 'element' ? transientAttribute(state, 'fail-count-db#asyncmon_0') : undefined).toBe('2');
  });

  it('has to be a primitive that is active there', () => {
    expect(refusal(fail('nobody'), before)).toBe('resource-not-found');
    expect(refusal(fail('db', 'n9'), before)).toBe('node-not-found');
    expect(refusal(fail('db', 'n2'), before)).toBe('place-not-clear');
    expect(refusal(fail('G'), before)).toBe('invalid-argument');
    expect(refusal(fail('db'), execute(before, result('db', 'stop')))).toBe('place-not-clear');
  });
});
