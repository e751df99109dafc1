import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionResult, TransitionState } from './cluster-state.js';
import { emptyList } from './persistent-list.js';
import { isReported, reportsOf, reportsSince, resultFrom, SERVER, withReport } from './transition-results.js';

const begun: TransitionState = {
  number: 1,
  correlationId: 'c',
  inputVersion: 1,
  plannedVersion: 2,
  now: 0,
  digest: 'd',
  schedulerVersion: 's',
  status: 'running',
  results: emptyList(),
  fencing: [],
};

const result = (rc: number): ActionResult => ({ status: 'done', rc, ok: rc === 0 });

/** What is to be had, in the plainest way: by graph action id, then by who said it. */
type Table = Readonly<Record<string, Readonly<Record<string, ActionResult>>>>;

const noted = (table: Table, id: number, reporter: string, said: ActionResult): Table => {
  const of = table[id] ?? {};
  return Object.hasOwn(of, reporter) ? table : { ...table, [id]: { ...of, [reporter]: said } };
};

/** What is said of which action by whom, as the next of which version of all that there are. */
const saying = fc.record({
  from: fc.nat(),
  id: fc.oneof(fc.nat(6), fc.constantFrom(-1, 2 ** 40)),
  reporter: fc.constantFrom(SERVER, 'n1', 'n2', 'constructor', '__proto__'),
  rc: fc.nat(3),
});

interface Version {
  readonly transition: TransitionState;
  readonly table: Table;
}

function expectSame({ transition, table }: Version): void {
  const ids = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 2 ** 40];
  for (const id of ids) {
    const said = table[id] ?? {};
    expect(isReported(transition, id)).toBe(Object.keys(said).length > 0);
    expect(Object.fromEntries(reportsOf(transition.results, id).map((report) => [report.reporter, report.result]))).toEqual(said);
    for (const reporter of [SERVER, 'n1', 'n2', 'n3', 'constructor', '__proto__', 'toString']) {
      expect(resultFrom(transition, id, reporter)).toEqual(Object.hasOwn(said, reporter) ? said[reporter] : undefined);
    }
  }
}

describe('what was said of the actions of a transition', () => {
  it('is in each version what was said up to there, whatever others went on with from an earlier one', () => {
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 60 }), fc.boolean(), (sayings, mostlyNewest) => {
        const versions: Version[] = [{ transition: begun, table: Object.create(null) as Table }];
        for (const { from, id, reporter, rc } of sayings) {
          const base = versions.at(mostlyNewest && from % 4 !== 0 ? -1 : from % versions.length);
          if (base === undefined) throw new Error('no version');
          versions.push({
            transition: withReport(base.transition, id, reporter, result(rc)),
            table: noted(base.table, id, reporter, result(rc)),
          });
        }
        for (const version of versions) expectSame(version);
      }),
    );
  });

  it('goes on after a snapshot as if there had been none', () => {
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 80 }), fc.nat(80), (sayings, cut) => {
        const say = (transition: TransitionState, { id, reporter, rc }: (typeof sayings)[number]): TransitionState =>
          withReport(transition, id, reporter, result(rc));
        const read = JSON.parse(JSON.stringify(sayings.slice(0, cut).reduce(say, begun))) as TransitionState;
        expect(sayings.slice(cut).reduce(say, read)).toEqual(sayings.reduce(say, begun));
      }),
    );
  });

  it('is told from where one left off, in the order in which it was said', () => {
    const first = withReport(withReport(begun, 3, 'n1', result(0)), 1, 'n2', result(1));
    const next = withReport(withReport(first, 3, 'n1', result(5)), 2, 'n1', result(0));
    expect(reportsSince(next.results, 0).map(({ graphActionId }) => graphActionId)).toEqual([3, 1, 2]);
    expect(reportsSince(next.results, first.results.length)).toEqual([{ graphActionId: 2, reporter: 'n1', result: result(0) }]);
    expect(reportsSince(next.results, next.results.length)).toEqual([]);
  });

  it('of a reporter is its first word', () => {
    const said = withReport(begun, 3, 'n1', result(0));
    expect(withReport(said, 3, 'n1', result(1))).toBe(said);
  });
});
