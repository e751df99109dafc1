import { element, readCib, type XmlElement } from '@systole/cib';
import { canonicalGraph, packGraph, readState, run, schedule } from '@systole/scheduler';
import { executePlan, injectInto, WorkingCib } from '@systole/simulator';
import { storedForm } from './stored-graph.js';

const NODES = 6;
const PRIMITIVES = 60;
/** Plans after which the code is as quick as it gets, to within a tenth. */
const PLANS = 60;
/** One plan in so many is for a cluster on which nothing runs yet. */
const COLD_EVERY = 10;
const NOW = 1_700_000_000;

/**
 * Plans for a small cluster of nobody's, again and again: a thread that has just begun takes 100 to 400 ms for plans that take it 20 later, as V8 compiles what is used often. So the first failure
 * after a start is answered as quickly as the hundredth. Each step takes some milliseconds, the first ones some ten.
 *
 * @returns how many actions each plan has
 */
export function* warmUp(): Generator<number, void, undefined> {
  const cold = cluster();
  yield plan(cold);
  const working = new WorkingCib(cold);
  executePlan(run(readCib(cold), { now: NOW, scores: false }), working, { clock: NOW }, () => undefined);
  const settled = working.document();
  for (let number = 1; number < PLANS; number++) {
    yield plan(number % COLD_EVERY === 0 ? cold : withFailure(settled, number));
  }
}

function plan(cib: XmlElement): number {
  const { graph } = schedule(readCib(cib), { now: NOW, scores: false });
  packGraph(graph);
  Array.from(canonicalGraph(graph));
  storedForm(graph);
  return graph.synapses.length;
}

/** A monitor fails of one primitive that runs; of another one each time. */
function withFailure(settled: XmlElement, number: number): XmlElement {
  const working = new WorkingCib(settled);
  const before = readState(readCib(settled), { now: NOW, scores: false });
  const running = before.resources.filter(({ isPrimitive, activeOn }) => isPrimitive && activeOn.length > 0);
  const failed = running[number % running.length];
  const operations = failed === undefined ? [] : [`${failed.id}_monitor_10000@${failed.activeOn[0]?.name ?? ''}=1`];
  injectInto(working, before, { injections: { operations }, clock: NOW });
  return working.document();
}

function cluster(): XmlElement {
  const ids = Array.from({ length: NODES }, (_, index) => String(index + 1));
  const online = { in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member' };
  const format = { 'validate-with': 'pacemaker-4.0', crm_feature_set: '3.20.5', admin_epoch: '0', epoch: '1', num_updates: '0' };
  return element('cib', { ...format, 'have-quorum': '1' }, [
    element('configuration', {}, [
      element('crm_config', {}, [
        element('cluster_property_set', { id: 'o' }, [element('nvpair', { id: 'o-f', name: 'fencing-enabled', value: 'false' })]),
      ]),
      element(
        'nodes',
        {},
        ids.map((id) => element('node', { id, uname: `n${id}` })),
      ),
      element('resources', {}, [
        ...Array.from({ length: PRIMITIVES / 2 }, (_, index) => primitive(`p${index}`)),
        ...Array.from({ length: PRIMITIVES / 8 }, (_, index) => {
          const members = ['a', 'b', 'c'].map((member) => primitive(`g${index}${member}`));
          return element('group', { id: `g${index}` }, members);
        }),
        element('clone', { id: 'c' }, [primitive('ci')]),
      ]),
      element('constraints', {}, [
        ...Array.from({ length: PRIMITIVES / 4 }, (_, index) =>
          element('rsc_location', { id: `l${index}`, rsc: `p${index}`, node: `n${(index % NODES) + 1}`, score: '100' }),
        ),
        ...Array.from({ length: PRIMITIVES / 10 }, (_, index) => [
          element('rsc_colocation', { id: `w${index}`, rsc: `p${index * 2 + 1}`, 'with-rsc': `p${index * 2}`, score: '100' }),
          element('rsc_order', { id: `t${index}`, first: `p${index * 2}`, then: `p${index * 2 + 1}` }),
        ]).flat(),
      ]),
    ]),
    element(
      'status',
      {},
      ids.map((id) => element('node_state', { id, uname: `n${id}`, ...online })),
    ),
  ]);
}

function primitive(id: string): XmlElement {
  const monitor = element('op', { id: `${id}-m`, name: 'monitor', interval: '10s' });
  return element('primitive', { id, class: 'ocf', provider: 'pacemaker', type: 'Dummy' }, [element('operations', {}, [monitor])]);
}
