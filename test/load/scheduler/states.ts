import { readCib, type XmlElement } from '@systole/cib';
import { readState, run } from '@systole/scheduler';
import { executePlan, injectInto, type Injections, WorkingCib } from '@systole/simulator';

/** The moment for which everything is planned, epoch seconds; results are recorded at the same time. */
export const NOW = 1_700_000_000;

/**
 * The cluster after its transition was carried out: what ran is in its history. The document keeps its schema.
 *
 * @throws {Error} when there is still something to do then: it would be no settled cluster that is measured.
 */
export function settled(document: XmlElement): XmlElement {
  const working = new WorkingCib(document);
  executePlan(plan(document), working, { clock: NOW }, () => undefined);
  const result = working.document();
  const left = plan(result).graph.synapses.length;
  if (left > 0) throw new Error(`the cluster has not settled: ${left} actions are still planned`);
  return result;
}

/** The cluster after something happened to it. */
export function afterEvents(document: XmlElement, injections: Injections): XmlElement {
  const working = new WorkingCib(document);
  injectInto(working, readState(readCib(document), { now: NOW, scores: false }), { injections, clock: NOW });
  return working.document();
}

const plan = (document: XmlElement): ReturnType<typeof run> => run(readCib(document), { now: NOW, scores: false });

/** The failure of a monitor, as an operation to inject: of the first primitive that runs, where it runs. */
export function monitorFailure(document: XmlElement): string {
  const { resources } = readState(readCib(document), { now: NOW, scores: false });
  const running = resources.find(({ isPrimitive, fenceDevice, activeOn }) => isPrimitive && !fenceDevice && activeOn.length > 0);
  if (!running) throw new Error('no primitive runs');
  return `${running.id}_monitor_10000@${running.activeOn[0]?.name ?? ''}=1`;
}
