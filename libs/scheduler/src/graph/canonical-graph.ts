import type { GraphAction, TransitionGraph } from './transition-graph.js';

/** Texts are put together up to this many characters. */
const TEXT_LENGTH = 65_536;

const ACTION: Readonly<Record<keyof GraphAction, true>> = {
  kind: true,
  id: true,
  operation: true,
  operationKey: true,
  internalOperationKey: true,
  mode: true,
  node: true,
  shutdownLock: true,
  primitive: true,
  attributes: true,
  params: true,
  downed: true,
  maintenance: true,
};
/** The members that an action may have, in canonical order, with their names as JSON. */
const ACTION_MEMBERS = (Object.keys(ACTION) as (keyof GraphAction)[]).sort().map((name) => [name, `${JSON.stringify(name)}:`] as const);

/**
 * The canonical JSON of a graph (RFC 8785), of which its digest is made, piece by piece. The same text as any writer of canonical JSON makes; but what the
 * actions share is written once, and a graph may have hundreds of thousands of actions.
 */
export function* canonicalGraph({ synapses, ...head }: TransitionGraph): Generator<string, void, undefined> {
  const writer = new Writer();
  let text = '{';
  for (const [place, [name, value]] of sorted({ ...head, synapses: undefined }).entries()) {
    text += `${place === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (name !== 'synapses') {
      text += writer.text(value);
      continue;
    }
    text += '[';
    for (const [position, synapse] of synapses.entries()) {
      const { action, id, inputs, priority } = synapse;
      text += `${position === 0 ? '' : ','}{"action":${writer.action(action)},"id":${id},"inputs":[${inputs.join()}],"priority":${priority}}`;
      if (text.length < TEXT_LENGTH) continue;
      yield text;
      text = '';
    }
    text += ']';
  }
  yield `${text}}`;
}

class Writer {
  /** Of objects that stand in many actions. */
  private readonly known = new Map<object, string>();

  text(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const text = Array.isArray(value) ? `[${value.map((item) => this.text(item)).join()}]` : this.members(value);
    this.known.set(value, text);
    return text;
  }

  action(action: GraphAction): string {
    let text = '';
    for (const [name, written] of ACTION_MEMBERS) {
      const value = action[name];
      if (value !== undefined) text += `${text === '' ? '' : ','}${written}${this.text(value)}`;
    }
    return `{${text}}`;
  }

  private members(object: object): string {
    let text = '';
    for (const [name, value] of sorted(object)) {
      if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${this.text(value)}`;
    }
    return `{${text}}`;
  }
}

/** By UTF-16 code units, as ECMAScript compares strings. */
function sorted(object: object): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}
