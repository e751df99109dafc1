import type { Synapse, TransitionGraph } from '@systole/scheduler';

/** Priority of what goes on after a failure (specification 08 §8.4). */
const AFTER_FAILURE = 1_000_000;

/** How the execution of a graph ended: `terminated` means that something could never start (specification 08 §8.3). */
export type ExecutionEnd = 'complete' | 'terminated';

/**
 * Runs a graph in the order of the reference's simulator (specification 08 §8): passes over the synapses in their order, one action at a
 * time, each complete at once; what becomes ready further down runs in the same pass, what becomes ready further up in the next one.
 *
 * @param perform carries an action out and says whether it succeeded. After a failure only pseudo-actions and synapses of priority 1,000,000 go on.
 * @param canBegin what can't waits for ever, and so does what waits for it; everything else goes on
 */
export function executeInOrder(
  graph: TransitionGraph,
  perform: (synapse: Synapse) => boolean,
  canBegin: (synapse: Synapse) => boolean = () => true,
): ExecutionEnd {
  const { synapses } = graph;
  const dependents = dependentsOf(synapses);
  const missing = Int32Array.from(synapses, ({ inputs }) => inputs.length);
  let pass = new ReadyPlaces();
  let nextPass = new ReadyPlaces();
  for (const [place, count] of missing.entries()) if (count === 0) pass.add(place);
  let neverReady = synapses.length;
  let failed = false;
  while (!pass.isEmpty) {
    for (let place = pass.takeFirst(); place !== undefined; place = pass.takeFirst()) {
      const synapse = synapses[place];
      if (!synapse || !canBegin(synapse)) continue;
      neverReady--;
      if (failed && synapse.action.kind !== 'pseudo_event' && synapse.priority < AFTER_FAILURE) continue;
      const succeeded = perform(synapse);
      if (!succeeded) failed = true;
      for (const other of dependents[place] ?? []) {
        if (!succeeded && (synapses[other]?.priority ?? 0) !== AFTER_FAILURE) continue;
        const left = (missing[other] ?? 0) - 1;
        missing[other] = left;
        if (left === 0) (other > place ? pass : nextPass).add(other);
      }
    }
    [pass, nextPass] = [nextPass, pass];
  }
  return neverReady > 0 && !failed ? 'terminated' : 'complete';
}

/** For each synapse the places of those that wait for it. */
function dependentsOf(synapses: readonly Synapse[]): (number[] | undefined)[] {
  const places = new Map(synapses.map(({ action }, place) => [action.id, place]));
  const dependents = new Array<number[] | undefined>(synapses.length);
  for (const [place, { inputs }] of synapses.entries()) {
    for (const input of inputs) {
      const first = places.get(input);
      if (first === undefined) continue;
      const list = dependents[first];
      if (list) list.push(place);
      else dependents[first] = [place];
    }
  }
  return dependents;
}

/** Places of synapses that are ready, lowest first: a binary heap. */
class ReadyPlaces {
  private readonly heap: number[] = [];

  get isEmpty(): boolean {
    return this.heap.length === 0;
  }

  add(place: number): void {
    const { heap } = this;
    let at = heap.push(place) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above <= place) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = place;
  }

  takeFirst(): number | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      const smaller = right !== undefined && right < left ? right : left;
      if (smaller === right) child++;
      if (smaller >= last) break;
      heap[at] = smaller;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
