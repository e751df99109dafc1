import { parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { runSimulation, type SimulationRequest } from '../simulation/run-simulation.js';
import { primitive, smallCib } from '../testing/small-cib.js';
import { JsonReport } from './json-report.js';
import type { OutputChunk, ReportOptions, WriteChunk } from './report-options.js';
import { TextReport } from './text-report.js';
import { placementXml } from './xml-placement.js';
import { XmlReport } from './xml-report.js';
import type { Reporter } from './report-options.js';

const NOW = 1_700_010_000;
const plain: ReportOptions = { scores: false, utilization: false, quiet: false };
const cib = smallCib({ nodes: ['n1', 'n2'], resources: primitive('db') });

function report(make: (write: WriteChunk) => Reporter, request: Partial<SimulationRequest> = {}): OutputChunk[] {
  const chunks: OutputChunk[] = [];
  const reporter = make((chunk) => chunks.push(chunk));
  runSimulation(
    cib,
    { depth: 'execute', now: NOW, clock: NOW, ...request },
    {
      ...bound(reporter),
      planned: (run) => {
        reporter.scored(run);
        reporter.planned?.(run);
      },
    },
  );
  reporter.finish({ exitCode: 0, message: 'OK', errors: [] });
  return chunks;
}

function bound(reporter: Reporter): Omit<Reporter, 'planned' | 'scored' | 'finish'> {
  return {
    current: (cluster) => {
      reporter.current(cluster);
    },
    modified: (changes) => reporter.modified?.(changes),
    reread: (cluster) => reporter.reread?.(cluster),
    executing: () => reporter.executing?.(),
    executed: (event) => reporter.executed?.(event),
    revised: (cluster, end) => reporter.revised?.(cluster, end),
  };
}

const textOf = (chunks: readonly OutputChunk[], stream: OutputChunk['stream'] = 'stdout'): string =>
  chunks
    .filter((chunk) => chunk.stream === stream)
    .map(({ text }) => text)
    .join('');

describe('a listing that would be longer than a text can be', () => {
  const reports: readonly [string, (write: WriteChunk) => Reporter][] = [
    ['text', (write) => new TextReport({ ...plain, scores: true }, undefined, write)],
    ['XML', (write) => new XmlReport({ ...plain, scores: true }, '', write)],
    ['JSON', (write) => new JsonReport({ ...plain, scores: true }, NOW, write)],
  ];
  it.each(reports)('is refused in %s', (_, make) => {
    const many = smallCib({
      nodes: Array.from({ length: 500 }, (_, index) => `n${index}`),
      resources: `<clone id="c"><meta_attributes id="m"><nvpair id="m1" name="clone-max" value="2000"/></meta_attributes>${primitive('db')}</clone>`,
    });
    const report = make(() => undefined);
    expect(() =>
      runSimulation(
        many,
        { depth: 'plan', now: NOW, clock: NOW, scores: true },
        {
          current: () => undefined,
          planned: (run) => {
            report.scored(run);
          },
        },
      ),
    ).toThrow('the score listing has');
  });
});

describe('a report', () => {
  const shown = { ...plain, scores: true };
  const reports: readonly [string, (write: WriteChunk) => Reporter][] = [
    ['text', (write) => new TextReport({ ...shown, quiet: true }, undefined, write)],
    ['JSON', (write) => new JsonReport(shown, NOW, write)],
  ];
  it.each(reports)('writes its listing line by line in %s', (_, make) => {
    const lines = report(make).filter(({ text }) => text.includes('pcmk__primitive_assign'));
    expect(lines).toHaveLength(2);
  });

  it('is written section by section in XML', () => {
    const chunks = report((write) => new XmlReport(shown, '', write));
    expect(chunks.filter(({ text }) => /^ {2}<(?:cluster_status|allocations|revised_cluster_status)>/.test(text))).toHaveLength(3);
  });
});

describe('placementXml', () => {
  it('refuses to get longer than a text can be', () => {
    const entry = { phase: 'pcmk__primitive_assign', resource: 'db', node: 'n1', score: 0 };
    expect(() => placementXml([entry, entry], { ...plain, scores: true }, 150)).toThrow(
      'what is to be written is longer than 150 characters',
    );
  });
});

describe('TextReport', () => {
  it('tells the whole course, with an empty line between sections', () => {
    expect(textOf(report((write) => new TextReport(plain, undefined, write)))).toBe(`Current cluster status:
  * Node List:
    * Online: [ n1 n2 ]

  * Full List of Resources:
    * db\t(ocf:systole:Dummy):\t Stopped

Transition Summary:
  * Start      db      (    n1 )

Executing Cluster Transition:
  * Resource action: db              monitor on n2
  * Resource action: db              monitor on n1
  * Resource action: db              start on n1

Revised Cluster Status:
  * Node List:
    * Online: [ n1 n2 ]

  * Full List of Resources:
    * db\t(ocf:systole:Dummy):\t Started n1
`);
  });

  it('tells of another time before each status', () => {
    const lines = textOf(report((write) => new TextReport(plain, 'It is noon', write), { injections: { quorum: 'true' } })).split('\n');
    const notices = lines.flatMap((line, index) => (line === 'It is noon' ? [[lines[index - 1], lines[index + 1]]] : []));
    expect(notices).toEqual([
      [undefined, 'Current cluster status:'],
      ['  * Setting quorum: true', ''],
      ['  * Resource action: db              start on n1', ''],
    ]);
  });

  it('prints score lines only, without bullets, when it is to be quiet', () => {
    expect(textOf(report((write) => new TextReport({ ...plain, scores: true, quiet: true }, 'It is noon', write)))).toBe(
      'pcmk__primitive_assign: db allocation score on n1: 0\npcmk__primitive_assign: db allocation score on n2: 0\n\n',
    );
  });

  it('lists scores under a title otherwise', () => {
    const text = textOf(report((write) => new TextReport({ ...plain, scores: true }, undefined, write), { depth: 'plan' }));
    expect(text).toContain('\n\nAssignment Scores:\n  * pcmk__primitive_assign: db allocation score on n1: 0\n');
  });

  it('sends errors to standard error, in their place', () => {
    const chunks = report((write) => new TextReport(plain, undefined, write), { failures: ['db_start_0@n1=x'] });
    expect(textOf(chunks, 'stderr')).toBe("Invalid failed operation 'db_start_0@n1=x' (result code must be integer)\n");
    const before = chunks.slice(
      0,
      chunks.findIndex(({ stream }) => stream === 'stderr'),
    );
    expect(before.at(-1)?.text).toBe('  * Resource action: db              start on n1\n');
  });

  it('says that an action fails, at the beginning of a line', () => {
    const text = textOf(report((write) => new TextReport(plain, undefined, write), { failures: ['DB_start_0@n1=5'] }));
    expect(text).toMatch(/\nPretending action \d+ failed with rc=5\n {2}\* Injecting attribute fail-count-db#start_0=INFINITY/i);
  });
});

describe('XmlReport', () => {
  const xml = (request: Partial<SimulationRequest> = {}, options = plain): string =>
    textOf(report((write) => new XmlReport(options, "crm_simulate -x 'a b'", write), request));

  it('is well-formed and has the sections of the reference', () => {
    const root = parseXml(xml({ injections: { nodesUp: ['n3'], quorum: '1' } }, { ...plain, scores: true }));
    expect(root.attributes['request']).toBe("crm_simulate -x 'a b'");
    expect(root.children.map((child) => (child.kind === 'element' ? child.name : ''))).toEqual([
      'cluster_status',
      'modifications',
      'allocations',
      'actions',
      'transition',
      'revised_cluster_status',
      'status',
    ]);
  });

  it('tells of actions with the attributes that their kind has', () => {
    const text = xml();
    expect(text).toContain('    <rsc_action action="start" resource="db" node="n1"/>\n');
    expect(text).toContain('    <rsc_action resource="db" op="start" node="n1"/>\n');
    expect(text).toContain('nodes_running_on="1">\n        <node name="n1" id="1" cached="true"/>\n');
    expect(text).toContain('  <status code="0" message="OK"/>\n');
  });

  it('shows what XML can not hold as U+FFFD where it repeats the command line', () => {
    const odd = '\u0001\u000B\u001F\uFFFE\uD800';
    const chunks = report((write) => new XmlReport(plain, odd, write), { failures: [`db_start_0@n1=${odd}`] });
    const root = parseXml(textOf(chunks));
    expect(root.attributes['request']).toBe('\uFFFD'.repeat(5));
    expect(textOf(chunks)).toContain(`<error>Invalid failed operation 'db_start_0@n1=${'\uFFFD'.repeat(5)}'`);
  });

  it('keeps errors for the end', () => {
    const text = xml({ failures: ['db_start_0@n1=<x>'] });
    expect(text).toContain(
      "      <error>Invalid failed operation 'db_start_0@n1=&lt;x&gt;' (result code must be integer)</error>\n    </errors>\n  </status>\n",
    );
  });
});

describe('JsonReport', () => {
  it('holds what the API would answer', () => {
    const text = textOf(report((write) => new JsonReport(plain, NOW, write)));
    expect(JSON.parse(text)).toMatchObject({
      now: NOW,
      current: { resources: [{ id: 'db', role: 'Stopped' }] },
      transition: { resources: [{ verb: 'Start', resource: 'db', to: 'n1' }] },
      end: 'complete',
      revised: { resources: [{ id: 'db', role: 'Started', activeOn: ['n1'] }] },
      status: { code: 0, message: 'OK' },
    });
  });

  it('shows attributes and failures when they are asked for, and only then', () => {
    const failing = smallCib({
      nodes: [{ name: 'n1', attributes: { site: 'a', 'fail-count-db#monitor_10000': '2' } }],
      resources: primitive('db'),
      history: [{ resource: 'db', node: 'n1', task: 'monitor', interval: 10_000, rc: 1, expected: 0 }],
    });
    const current = (shown: Partial<ReportOptions>): Record<string, unknown> => {
      let text = '';
      const reporter = new JsonReport({ ...plain, ...shown }, NOW, (chunk) => (text += chunk.text));
      runSimulation(failing, { depth: 'status', now: NOW, clock: NOW }, reporter);
      reporter.finish({ exitCode: 0, message: 'OK', errors: [] });
      return (JSON.parse(text) as { current: Record<string, unknown> }).current;
    };
    expect(current({ attributes: true, failCounts: true })).toMatchObject({
      attributes: [{ node: 'n1', attributes: [{ name: 'site', value: 'a' }] }],
      failCounts: [{ node: 'n1', resource: 'db', failCount: 2, migrationThreshold: 1_000_000 }],
      failures: [{ key: 'db_monitor_10000', node: 'n1', rc: 1 }],
    });
    expect(Object.keys(current({}))).toEqual(['nodes', 'resources']);
  });
});
