import { readdirSync, readFileSync } from 'node:fs';
import { readCib } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { meta as metaAttributes, primitive, smallCib } from '../testing/small-cib.js';
import { durationText } from './duration-text.js';
import type { MonitorFacts } from './monitor-facts.js';
import { monitorLine, monitorText, type MonitorTextOptions } from './monitor-text.js';
import { DEFAULT_SECTIONS, sectionsNamed, type MonitorSection } from './sections.js';

const NOW = 1_795_790_000;
const NOTHING: MonitorFacts = { request: '', coordinator: undefined, lastChange: undefined, fencing: [], tickets: [] };
const CAPTURED = `${import.meta.dirname}/captured/`;

const read = (xml: string): ReturnType<typeof readState> => readState(readCib(xml), { now: NOW, scores: false });

const ADDED: Readonly<Record<string, MonitorSection>> = { A: 'attributes', f: 'failcounts', o: 'operations', t: 'operations', L: 'bans' };

/** As `crm_mon` takes its flags. */
function optionsOf(flags: string): MonitorTextOptions {
  const added = Object.entries(ADDED).flatMap(([flag, section]) => (flags.includes(flag) ? [section] : []));
  const has = (flag: string): boolean => flags.includes(flag);
  const shape = { byNode: has('n'), inactive: has('r'), brief: has('b'), detail: has('R'), timing: has('t') };
  return { sections: new Set([...DEFAULT_SECTIONS, ...added]), ...shape };
}

/** What differs by who looks after the cluster, and when. */
const withoutMoment = (text: string): string => text.replace(/^ {2}\* (Stack|Current DC|Last updated|Last change):.*\n/gm, '');

describe("the text of a status is that of Pacemaker 2.1.5's crm_mon -1 for the same CIB", () => {
  const cases = readdirSync(CAPTURED).flatMap((file) => {
    const [, cib, flags = ''] = /^([a-z-]+?)(-[A-Za-z]{1,2})?\.txt$/.exec(file) ?? [];
    return cib === undefined ? [] : [{ file, cib, flags }];
  });

  it.each(cases)('$file', ({ file, cib, flags }) => {
    const text = monitorText(read(readFileSync(`${CAPTURED}${cib}.xml`, 'utf8')), NOTHING, optionsOf(flags));
    expect(withoutMoment(text)).toBe(readFileSync(`${CAPTURED}${file}`, 'utf8'));
  });

  it('with as many cases as were captured', () => {
    expect(cases).toHaveLength(66);
  });
});

describe("what crm_mon --resource shows is what Pacemaker 2.1.5's shows for the same CIB, with -rf and with -ro", () => {
  const chosen = `${CAPTURED}chosen/`;
  const cib = read(readFileSync(`${chosen}cib.xml`, 'utf8'));
  const files = readdirSync(chosen).filter((file) => file.endsWith('.txt'));
  const shown = (flags: string, id: string): string => {
    const sections = new Set<MonitorSection>(['resources', 'failures', flags.includes('o') ? 'operations' : 'failcounts']);
    return monitorText(cib, NOTHING, { ...optionsOf(flags), sections }, { asked: new Set([id]) });
  };

  it.each(files)('%s', (file) => {
    const id = file.replace('.txt', '').replace('.', ':');
    expect(`${shown('rf', id)}\n${shown('ro', id)}`).toBe(readFileSync(`${chosen}${file}`, 'utf8'));
  });

  it('with as many cases as were captured', () => {
    expect(files).toHaveLength(14);
  });

  it('and nothing of what there is not', () => {
    expect(shown('rf', 'stranger')).toBe('Full List of Resources:\n  * No resources\n');
  });
});

describe('the text of a status', () => {
  const cluster = readState(
    smallCib({
      nodes: ['n1', 'n2'],
      options: { 'fencing-enabled': 'true' },
      resources: primitive('ip') + primitive('off', metaAttributes('off', { 'target-role': 'Stopped' })),
      history: [{ resource: 'ip', node: 'n1', task: 'start' }],
    }),
    { now: NOW, scores: false },
  );

  it('says who looks after the cluster, who changed it, and what was fenced', () => {
    const facts: MonitorFacts = {
      request: '',
      coordinator: { name: 'systole', version: '3' },
      lastChange: { at: 1_795_766_000, user: 'user:alice', client: 'replace', origin: 'api' },
      fencing: [
        { action: 'reboot', target: 'n2', client: 'systole', delegate: 'n1', status: 'pending' },
        {
          action: 'off',
          target: 'n3',
          client: 'systole',
          delegate: 'n1',
          status: 'failed',
          reason: 'no power',
          completedAt: 1_795_766_000,
        },
        { action: 'off', target: 'n4', client: 'systole', delegate: 'n1', status: 'success', completedAt: 1_795_766_000 },
      ],
      tickets: [{ id: 'T1', granted: true, standby: true, lastGrantedAt: 1_795_766_000 }],
    };
    const sections = new Set<MonitorSection>([
      'dc',
      'times',
      'options',
      'fencing-failed',
      'fencing-pending',
      'fencing-succeeded',
      'tickets',
    ]);
    expect(monitorText(cluster, facts, { sections, localOffsetSeconds: 3_600 })).toBe(`Cluster Summary:
  * Current DC: systole (version 3) - partition with quorum
  * Last updated: Fri Nov 27 15:33:20 2026
  * Last change:  Fri Nov 27 08:53:20 2026 by user:alice via replace on api
  * STONITH of failed nodes enabled
  * Cluster is symmetric
  * No quorum policy: Stop ALL resources

Failed Fencing Actions:
  * off of n3 failed (no power): delegate=n1, client=systole, origin=systole, last-failed='2026-11-27 07:53:20Z'

Pending Fencing Actions:
  * reboot of n2 pending: delegate=n1, client=systole, origin=systole

Fencing History:
  * off of n4 successful: delegate=n1, client=systole, origin=systole, completed='2026-11-27 07:53:20Z'

Tickets:
  * T1: granted [standby] last-granted="Fri Nov 27 08:53:20 2026"
`);
  });

  it('of some nodes and resources only', () => {
    const sections = new Set<MonitorSection>(['nodes', 'resources']);
    const text = monitorText(cluster, NOTHING, { sections, inactive: true }, { nodes: new Set(['n2']), resources: new Set(['off']) });
    expect(text).toBe('Node List:\n  * Online: [ n2 ]\n\nFull List of Resources:\n  * off\t(ocf:systole:Dummy):\t Stopped (disabled)\n');
  });

  it('on one line', () => {
    expect(monitorLine(cluster)).toEqual({ text: 'CLUSTER OK: 2 nodes online, 2 resource instances configured\n', isWell: true });
    const lost = read(readFileSync(`${CAPTURED}nothing-known.xml`, 'utf8'));
    expect(monitorLine(lost)).toEqual({ text: 'CLUSTER WARN: offline node: n1 offline node: n2\n', isWell: false });
  });
});

describe('words for sections', () => {
  it('stand for one, for several, or for nothing', () => {
    expect(sectionsNamed('nodes')).toEqual(['nodes']);
    expect(sectionsNamed('fencing')).toHaveLength(3);
    expect(sectionsNamed('none')).toEqual([]);
    expect(sectionsNamed('surprise')).toBeUndefined();
  });
});

describe('durations', () => {
  it.each([
    [3, '3ms'],
    [1_500, '1.500s'],
    [10_000, '10s'],
    [61_003, '1m1.003s'],
    [7_500_000, '2h5m'],
    [86_400_000, '1d'],
  ])('%d ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
