import { describe, expect, it } from 'vitest';
import { runSimulation } from '../simulation/run-simulation.js';
import { primitive, smallCib } from '../testing/small-cib.js';
import { JsonReport } from './json-report.js';
import type { Reporter, ReportOptions, WriteChunk } from './report-options.js';
import { TextReport } from './text-report.js';
import { XmlReport } from './xml-report.js';

const NOW = 1_700_010_000;
const needs = (id: string, name: string, value: string): string =>
  primitive(id, `<utilization id="${id}-u"><nvpair id="${id}-u1" name="${name}" value="${value}"/></utilization>`);
const cib = smallCib({
  nodes: [{ name: 'n1', utilization: { cpu: '4', memory: '9GB' } }, 'n2'],
  resources: needs('db', 'memory', '2') + needs('web', 'my cpu', '1'),
});

function report(shown: Partial<ReportOptions>, make: (options: ReportOptions, write: WriteChunk) => Reporter): string {
  let text = '';
  const options = { scores: false, utilization: true, quiet: true, ...shown };
  const reporter = make(options, (chunk) => (text += chunk.text));
  runSimulation(
    cib,
    { depth: 'plan', now: NOW, clock: NOW, scores: options.scores, utilization: true },
    {
      current: () => undefined,
      planned: (run) => {
        reporter.scored(run);
      },
    },
  );
  reporter.finish({ exitCode: 0, message: 'OK', errors: [] });
  return text;
}

const text = (shown: Partial<ReportOptions>): string => report(shown, (options, write) => new TextReport(options, undefined, write));

describe('the utilization listing', () => {
  it('tells what nodes can carry before and after, and what each resource takes where', () => {
    expect(text({})).toBe(`Utilization Information:
  * Original: n1 capacity: cpu=4 memory=9GB
  * Original: n2 capacity:
  * pcmk__assign_resource: db utilization on n1: memory=2
  * pcmk__assign_resource: web utilization on n2: my cpu=1
  * Remaining: n1 capacity: cpu=4 memory=7
  * Remaining: n2 capacity: my cpu=-1
`);
  });

  it('mixes with the scores, as placement produced both, without bullets when it is to be quiet', () => {
    const lines = text({ scores: true }).split('\n');
    expect(lines.slice(1, 6)).toEqual([
      'Original: n2 capacity:',
      'pcmk__primitive_assign: db allocation score on n1: 0',
      'pcmk__primitive_assign: db allocation score on n2: 0',
      'pcmk__assign_resource: db utilization on n1: memory=2',
      'pcmk__primitive_assign: web allocation score on n1: 0',
    ]);
    expect(text({ scores: true, quiet: false })).toMatch(/^Assignment Scores and Utilization Information:\n {2}\* Original/);
  });

  it('has an element for each amount in XML, whatever it is called', () => {
    const xml = report({}, (options, write) => new XmlReport(options, 'crm_simulate', write));
    expect(xml).toContain(`  <utilizations>
    <capacity node="n1" comment="Original">
      <cpu>4</cpu>
      <memory>9GB</memory>
    </capacity>
    <capacity node="n2" comment="Original"/>
    <utilization resource="db" node="n1" function="pcmk__assign_resource">
      <memory>2</memory>
    </utilization>
    <utilization resource="web" node="n2" function="pcmk__assign_resource">
      <my_cpu>1</my_cpu>
    </utilization>
`);
  });

  it('is plain data in JSON', () => {
    const { utilization } = JSON.parse(report({}, (options, write) => new JsonReport(options, NOW, write))) as { utilization: unknown[] };
    expect(utilization[2]).toEqual({
      phase: 'utilization',
      moment: 'assigned',
      resource: 'db',
      node: 'n1',
      amounts: [{ name: 'memory', value: '2' }],
    });
  });
});
