import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { CibRefused, readCib, type XmlElement } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { projectRun } from '../project-run.js';
import { run, type SchedulerRun } from '../run.js';
import { scenarioDocument } from './scenario-cib.js';
import { scenariosIn } from './scenario-file.js';

const directory = new URL('.', import.meta.url);
const scenarios = readdirSync(directory)
  .filter((name) => name.endsWith('.scenario'))
  .flatMap((file) => scenariosIn(readFileSync(new URL(file, directory), 'utf8')));

const YEAR = 366 * 24 * 3_600;

function ran(document: XmlElement, now: number): SchedulerRun | undefined {
  try {
    return run(readCib(document), { now });
  } catch (error) {
    if (error instanceof CibRefused) return undefined;
    throw error;
  }
}

describe('what never asked for the time', () => {
  it('is the same at any other one, a second later, a year later and a year before', { timeout: 120_000 }, async () => {
    const [timeless, others]: [string[], string[]] = [[], []];
    for (const { title, given } of scenarios) {
      await turn();
      const { document, now } = scenarioDocument(given);
      const first = ran(document, now);
      if (first === undefined) continue;
      (first.cluster.cib.timeless ? timeless : others).push(title);
      // What is remembered of a document does not hide that the time counts in it.
      expect(ran(document, now)?.cluster.cib.timeless, title).toBe(first.cluster.cib.timeless);
      if (!first.cluster.cib.timeless) continue;
      // One moment, so that it stands in all of them alike.
      const expected = JSON.stringify(projectRun(first, { now }));
      for (const moment of [now + 1, now + YEAR, now - YEAR]) {
        const other = ran(document, moment);
        expect(other && JSON.stringify(projectRun(other, { now })), title).toBe(expected);
      }
    }
    // Neither all nor none of them.
    expect(timeless.length).toBeGreaterThan(500);
    expect(others.length).toBeGreaterThan(20);
  });

  it.each([
    ['a rule with a date', '<rule id="r" score="INFINITY"><date_expression id="d" operation="gt" start="2020-01-01"/></rule>', false],
    ['a rule without one', '<rule id="r" score="INFINITY"><expression id="e" attribute="#uname" operation="eq" value="n1"/></rule>', true],
  ])('has no condition on it: %s', (_, rule, timeless) => {
    const document = readCib(
      `<cib validate-with="pacemaker-4.0" have-quorum="1"><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes>
      <resources><primitive id="a" class="ocf" provider="pacemaker" type="Dummy"/></resources>
      <constraints><rsc_location id="l" rsc="a">${rule}</rsc_location></constraints></configuration>
      <status><node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"/></status></cib>`,
    ).document;
    expect(run({ document }, { now: 1_700_000_000 }).cluster.cib.timeless).toBe(timeless);
  });
});
