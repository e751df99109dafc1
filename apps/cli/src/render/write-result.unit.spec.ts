import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { coloured, uncoloured } from './paint.js';
import { renderWriteResult } from './write-result.js';

type WriteResult = components['schemas']['WriteResultDto'];

const changed = (given: Partial<WriteResult>): WriteResult => ({
  dryRun: false,
  version: 9,
  events: JSON.parse(
    '[{"type": "ConfigurationChanged", "data": {"command": "replace-configuration", "arguments": {}}}]',
  ) as WriteResult['events'],
  changes: [],
  ...given,
});

describe('renderWriteResult', () => {
  it('names what a write brought in, and how much was there before', () => {
    const finding = {
      kind: 'unknown-name',
      level: 'error',
      path: 'p',
      element: 'nvpair',
      subject: 'db',
      message: 'x is not known',
      meanwhile: 'it has no effect',
    } as const;
    const lines = renderWriteResult(changed({ findings: { count: 3, items: [{ ...finding, isNew: true }, finding] } }), uncoloured);
    expect(lines.slice(1, 3)).toEqual([
      'error: db: x is not known; meanwhile it has no effect',
      'And 2 findings besides: "systole status" shows them.',
    ]);
  });

  it('shows only the lines of an element that differ', () => {
    const lines = renderWriteResult(
      changed({
        dryRun: true,
        changes: [
          { kind: 'op', id: 'a', path: 'p', before: '<op id="a">\n  <x v="1"/>\n</op>', after: '<op id="a">\n  <x v="2"/>\n</op>' },
          { kind: 'tag', id: 't', path: 'p', after: '<tag id="t"/>' },
        ],
        schedule: {
          now: 1,
          quorate: true,
          nodes: [],
          resources: [],
          actions: [{ operation: 'start', resource: 'db', node: 'n1', reason: 'wanted' }],
          probes: [],
          messages: [{ level: 'warning', text: 'no fencing' }],
        },
      }),
      uncoloured,
    );
    expect(lines).toEqual([
      'Dry run at version 9: nothing was changed.',
      '',
      'Changes',
      '  ~ op a  p',
      '    -   <x v="1"/>',
      '    +   <x v="2"/>',
      '  + tag t  p',
      '    + <tag id="t"/>',
      '',
      'Then',
      '  start  db  n1  wanted',
      '  warning: no fencing',
    ]);
  });

  it('says what is probed, counted for each node, also where nothing else follows', () => {
    const schedule = { now: 1, quorate: true, nodes: [], resources: [], actions: [], messages: [] };
    const probed = (...nodes: readonly string[]) => nodes.map((node, index) => ({ resource: `r${String(index)}`, node }));
    const then = (probes: ReturnType<typeof probed>): readonly string[] =>
      renderWriteResult(changed({ dryRun: true, schedule: { ...schedule, probes } }), uncoloured).slice(-2);
    expect(then(probed('n1', 'n1', 'n2'))).toEqual(['Then', '  3 probes, of what runs already: n1 2, n2 1']);
    expect(then([])).toEqual(['Then', '  nothing to do']);
    const many = Array.from({ length: 11 }, (_, index) => `n${String(index + 1)}`);
    expect(then(probed(...many)).at(-1)).toBe(
      '  11 probes, of what runs already: n1 1, n2 1, n3 1, n4 1, n5 1, n6 1, n7 1, n8 1, and 3 more nodes',
    );
  });

  it('says that nothing was to do', () => {
    expect(renderWriteResult(changed({ events: [] }), uncoloured)).toEqual(['Nothing to do: everything is as wished already (version 9).']);
  });

  it('is green only where the cluster came to rest and nothing is wrong', () => {
    const settled = { outcome: 'settled', version: 9, waitingFor: [], transitions: [] } as const;
    const last = (troubles?: NonNullable<WriteResult['settled']>['troubles']): readonly string[] => {
      const given = {
        ...settled,
        waitingFor: [],
        transitions: [],
        failures: [],
        notRunning: [],
        ...(troubles === undefined ? {} : { troubles }),
      };
      return renderWriteResult(changed({ settled: given }), coloured).slice(troubles === undefined ? -1 : -1 - troubles.length);
    };
    expect(last([])).toEqual([coloured('green', 'Settled at version 9.')]);
    expect(last()).toEqual(['Settled at version 9.']);
    expect(last([{ code: 'no-quorum', level: 'bad', text: 'no quorum: 1 of 3 votes' }])).toEqual([
      'Settled at version 9. Not everything is well:',
      `  ${coloured('red', 'no quorum: 1 of 3 votes')}`,
    ]);
  });

  it('says of a cluster that settled when nobody could look how it is', () => {
    const unseen = 'the status of the cluster was not computed in time';
    const settled = { outcome: 'settled' as const, version: 9, waitingFor: [], failures: [], notRunning: [], transitions: [], unseen };
    expect(renderWriteResult(changed({ settled }), uncoloured).slice(-2)).toEqual([
      'Settled at version 9.',
      `  How it is now is not known: ${unseen}`,
    ]);
  });

  it('tells how the cluster settled', () => {
    const settled: NonNullable<WriteResult['settled']> = {
      outcome: 'timed-out',
      version: 12,
      waitingFor: ['no quorum: 1 of 3 votes'],
      failures: [],
      notRunning: [],
      transitions: [
        {
          number: 2,
          status: 'aborted',
          summary: ['stop db on n2', 'start db on n1'],
          steps: ['done', 'open'],
          outcome: { completed: 1, failed: 0, skipped: 1 },
        },
        { number: 3, status: 'running', summary: ['stop db on n1'] },
      ],
    };
    const lines = renderWriteResult(changed({ settled }), uncoloured);
    expect(lines.slice(-7)).toEqual([
      'Transition 2 aborted: 1 done, 0 not as expected, 1 never begun, of what was planned:',
      '  done      stop db on n2',
      '  not done  start db on n1',
      'Transition 3 running',
      '  stop db on n1',
      'Not settled in time; version 12 now.',
      '  no quorum: 1 of 3 votes',
    ]);
  });

  it('does not call it settled when operations failed', () => {
    const settled: NonNullable<WriteResult['settled']> = {
      ...{ outcome: 'failed', version: 12, waitingFor: [], transitions: [], notRunning: ['bad'] },
      failures: [{ resource: 'bad', node: 'n1', operation: 'start', intervalMs: 0, rc: 1, exitReason: 'it broke' }],
    };
    expect(renderWriteResult(changed({ settled }), uncoloured).slice(-3)).toEqual([
      'Settled at version 12, with failures:',
      '  start of bad on n1: rc 1 (it broke)',
      '  bad is not running on any node',
    ]);
  });

  it('does not say that time was up where the wait was broken off', () => {
    const settled: NonNullable<WriteResult['settled']> = {
      ...{ outcome: 'interrupted', version: 12, waitingFor: [], transitions: [], failures: [], notRunning: [] },
    };
    expect(renderWriteResult(changed({ settled }), uncoloured).at(-1)).toBe(
      'The wait was broken off before the cluster settled; version 12 then.',
    );
  });

  it('says that the cluster is gone', () => {
    const settled = { outcome: 'settled', version: 441, deleted: true } as const;
    const empty = { waitingFor: [], transitions: [], failures: [], notRunning: [] };
    expect(renderWriteResult(changed({ settled: { ...settled, ...empty } }), uncoloured).at(-1)).toBe(
      'The cluster is deleted (version 441).',
    );
  });

  it('warns of what may not have been meant, also when there is nothing to do', () => {
    const warnings = ['the cluster is in maintenance'];
    expect(renderWriteResult(changed({ warnings }), uncoloured)).toContain('Warning: the cluster is in maintenance');
    expect(renderWriteResult({ ...changed({ warnings }), events: [] }, uncoloured)).toEqual([
      'Nothing to do: everything is as wished already (version 9).',
      'Warning: the cluster is in maintenance',
    ]);
  });
});
