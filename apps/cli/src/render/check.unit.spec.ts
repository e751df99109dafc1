import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { checkResult, unknownLine } from './check.js';

type Status = components['schemas']['StatusDto'];

const status = (given: Partial<Status>): Status => ({
  clusterId: '0f6c2d3e-0000-4000-8000-000000000000',
  name: 'prod',
  version: 7,
  settled: true,
  health: 'good',
  counts: {
    nodes: { total: 3, online: 2, unclean: 0, pending: 0, offline: 1, standby: 0, maintenance: 0, shutdown: 0 },
    resources: { total: 9, started: 8, stopped: 1, unknown: 0, promoted: 0, disabled: 0, failed: 0, blocked: 0, unmanaged: 0 },
  },
  troubles: [],
  nodes: [],
  resources: [],
  failures: [],
  degraded: [],
  failCounts: [],
  fencing: [],
  safety: [],
  messages: [],
  tickets: [],
  findings: { count: 0, items: [] },
  ...given,
});

const FIGURES = 'nodes_online=2;;;0;3 nodes_unclean=0;;;0;3 resources_started=8;;;0;9 resources_failed=0;;;0;9 failed_operations=0;;;0';

describe('checkResult', () => {
  it('is OK where nothing is wrong', () => {
    expect(checkResult(status({}))).toEqual({
      code: 0,
      line: `SYSTOLE OK - prod: settled; 2 of 3 nodes online, 8 of 9 resources started | ${FIGURES}`,
    });
  });

  it('is a warning, or critical, by the worst that is wrong, and says that first', () => {
    const offline = { code: 'nodes-offline', level: 'warn', text: 'offline: n3' } as const;
    const quorum = { code: 'no-quorum', level: 'bad', text: 'no quorum: 1 of 3 votes' } as const;
    expect(checkResult(status({ health: 'warn', troubles: [offline] }))).toMatchObject({
      code: 1,
      line: expect.stringContaining('SYSTOLE WARNING - prod: offline: n3; nothing in progress; 2 of 3') as string,
    });
    expect(checkResult(status({ health: 'bad', troubles: [quorum, offline] }))).toMatchObject({
      code: 2,
      line: expect.stringContaining('SYSTOLE CRITICAL - prod: no quorum: 1 of 3 votes; offline: n3; ') as string,
    });
  });

  it('is one line in which nothing passes for figures', () => {
    const odd = { code: 'x', level: 'warn', text: 'a | b=1\nOK' } as const;
    const { line } = checkResult(status({ name: 'p|q', health: 'warn', troubles: [odd] }));
    expect(line).toContain('p/q: a / b=1 OK;');
    expect([line.split('|').length, line.includes('\n')]).toEqual([2, false]);
    expect(unknownLine(new Error('no\nserver | there'))).toBe('SYSTOLE UNKNOWN - no server / there');
  });
});
