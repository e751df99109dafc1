import { readdirSync, readFileSync } from 'node:fs';
import { type Cib, element, readCib, type XmlElement } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutate, mutations, samplesOf } from './mutations.fixture.js';
import { run } from './run.js';
import { schedule } from './schedule.js';

const directory = new URL('./scenarios/', import.meta.url);
const scenarios = readdirSync(directory).filter((name) => name.endsWith('.scenario'));
const samples = samplesOf(scenarios.map((name) => readFileSync(new URL(name, directory), 'utf8')));

const mutants = fc
  .tuple(fc.nat(samples.length - 1), mutations)
  .map(([index, list]): Cib => readCib(list.reduce(mutate, samples[index] ?? element('cib'))));

const now = 1_700_000_000;

/** Hundreds of runs each: on a machine under foreign load they take many times as long as on a quiet one. */
const PROPERTY_TIMEOUT_MS = 60_000;

describe('schedule of any CIB', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  it('never throws, and gives the same bytes for the same input', () => {
    fc.assert(
      fc.property(mutants, (cib) => {
        expect(JSON.stringify(schedule(cib, { now }))).toBe(JSON.stringify(schedule(cib, { now })));
      }),
      { numRuns: 400 },
    );
  });

  it('writes graphs whose inputs are synapses of the same graph, each once and in order', () => {
    fc.assert(
      fc.property(mutants, (cib) => {
        const { graph } = schedule(cib, { now });
        const ids = new Set(graph.synapses.map(({ action }) => action.id));
        expect(ids.size).toBe(graph.synapses.length);
        for (const { inputs } of graph.synapses) {
          expect(inputs.every((id) => ids.has(id))).toBe(true);
          expect(inputs.every((id, index) => index === 0 || id > (inputs[index - 1] ?? 0))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never starts on a node what may still be active elsewhere, unless that is stopped or fenced first', () => {
    fc.assert(
      fc.property(mutants, (cib) => {
        const { cluster } = run(cib, { now });
        for (const action of cluster.actions) {
          const { resource, node } = action;
          if (action.task !== 'start' || !action.written || action.pseudo || !resource?.isPrimitive || !resource.unique) continue;
          for (const active of resource.activeOn) {
            if (active === node || !active.online || active.unclean) continue;
            const stopped = resource.actions.withTask('stop').some((stop) => stop.node === active && stop.written);
            const migrates = resource.actions.withTask('migrate_from').some((migrate) => migrate.written);
            expect(stopped || migrates || resource.multipleActive === 'stop_unexpected').toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  const ids = Array.from({ length: 700 }, (_, index) => `r${index}`);
  const following = (index: number): string => ids[(index + 1) % ids.length] ?? '';
  const chains = {
    colocations: (id: string, index: number) =>
      element('rsc_colocation', { id: `c${index}`, rsc: id, 'with-rsc': following(index), score: 'INFINITY' }),
    orderings: (id: string, index: number) => element('rsc_order', { id: `o${index}`, first: following(index), then: id }),
    containers: () => undefined,
  };

  it.each(Object.entries(chains))('survives a long circle of %s', (name, link) => {
    const container = (id: string, index: number): XmlElement[] =>
      name === 'containers'
        ? [
            element('meta_attributes', { id: `${id}-m` }, [
              element('nvpair', { id: `${id}-c`, name: 'container', value: following(index) }),
            ]),
          ]
        : [];
    const document = element('cib', { 'validate-with': 'none', 'have-quorum': '1' }, [
      element('configuration', {}, [
        element('crm_config', {}, [
          element('cluster_property_set', { id: 'o' }, [element('nvpair', { id: 'f', name: 'fencing-enabled', value: 'false' })]),
        ]),
        element('nodes', {}, [element('node', { id: '1', uname: 'n1' })]),
        element(
          'resources',
          {},
          ids.map((id, index) => element('primitive', { id, class: 'ocf', provider: 'acme', type: 'Service' }, container(id, index))),
        ),
        element(
          'constraints',
          {},
          ids.map(link).filter((made) => made !== undefined),
        ),
      ]),
      element('status', {}, [
        element('node_state', { id: '1', uname: 'n1', in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member' }),
      ]),
    ]);
    expect(schedule(readCib(document), { now, scores: false }).graph.synapses.length).toBeGreaterThan(0);
  });
});
