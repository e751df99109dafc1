import type { GraphAction, GraphActionKind, Synapse, TransitionGraph } from './transition-graph.js';

/**
 * A graph in a form that costs little to hand to another thread: what many actions have in common is there once, and the rest is numbers. `pack` and
 * `unpack` are each other's inverse.
 */
export interface PackedGraph {
  readonly head: Omit<TransitionGraph, 'synapses'>;
  /** A row of `COLUMNS` numbers for each synapse. */
  readonly rows: Int32Array<ArrayBuffer>;
  /** The inputs of all synapses, one after the other. */
  readonly inputs: Int32Array<ArrayBuffer>;
  /** The operation keys of all actions, one after the other. */
  readonly keys: string;
  readonly operations: readonly string[];
  readonly attributes: readonly GraphAction['attributes'][];
  readonly nodes: readonly NonNullable<GraphAction['node']>[];
  readonly primitives: readonly NonNullable<GraphAction['primitive']>[];
  /** What few actions have. */
  readonly rare: readonly Rare[];
}

type Rare = Pick<GraphAction, 'mode' | 'shutdownLock' | 'params' | 'downed' | 'maintenance'>;

const KINDS: readonly GraphActionKind[] = ['rsc_op', 'pseudo_event', 'crm_event'];

/** Meaning of the numbers of a row; indexes into the tables are -1 for nothing, ends are exclusive. */
const Column = {
  id: 0,
  priority: 1,
  kind: 2,
  actionId: 3,
  operation: 4,
  keyEnd: 5,
  internalKeyEnd: 6,
  attributes: 7,
  node: 8,
  primitive: 9,
  rare: 10,
  inputsEnd: 11,
} as const;
const COLUMNS = 12;

/** Synapses between two pauses of `unpackGraph`: they take some tenths of a millisecond. */
const IN_ONE_STEP = 256;

export function packGraph({ synapses, ...head }: TransitionGraph): PackedGraph {
  const rows = new Int32Array(synapses.length * COLUMNS);
  const inputs = new Int32Array(synapses.reduce((sum, synapse) => sum + synapse.inputs.length, 0));
  const operations = new Table<string>();
  const attributes = new Table<PackedGraph['attributes'][number]>();
  const nodes = new Table<PackedGraph['nodes'][number]>();
  const primitives = new Table<PackedGraph['primitives'][number]>();
  const rare: Rare[] = [];
  const keys: string[] = [];
  let keyLength = 0;
  const addKey = (key: string | undefined): number => {
    if (key === undefined) return -1;
    keys.push(key);
    return (keyLength += key.length);
  };
  let inputCount = 0;
  synapses.forEach(({ id, priority, action, inputs: own }, position) => {
    const row = position * COLUMNS;
    rows[row + Column.id] = id;
    rows[row + Column.priority] = priority;
    rows[row + Column.kind] = KINDS.indexOf(action.kind);
    rows[row + Column.actionId] = action.id;
    rows[row + Column.operation] = operations.indexOf(action.operation);
    rows[row + Column.keyEnd] = addKey(action.operationKey);
    rows[row + Column.internalKeyEnd] = addKey(action.internalOperationKey);
    rows[row + Column.attributes] = attributes.indexOf(action.attributes);
    rows[row + Column.node] = nodes.indexOf(action.node);
    rows[row + Column.primitive] = primitives.indexOf(action.primitive);
    rows[row + Column.rare] = isRare(action) ? rare.push(rareOf(action)) - 1 : -1;
    inputs.set(own, inputCount);
    inputCount += own.length;
    rows[row + Column.inputsEnd] = inputCount;
  });
  const tables = { operations: operations.values, attributes: attributes.values, nodes: nodes.values, primitives: primitives.values };
  return { head, rows, inputs, keys: keys.join(''), ...tables, rare };
}

/** Unpacks with a pause after every few synapses, at which something else may be done. What actions have in common, they share. */
export function* unpackGraph(packed: PackedGraph): Generator<void, TransitionGraph, undefined> {
  const { rows, inputs, keys, rare } = packed;
  const synapses: Synapse[] = [];
  let keyStart = 0;
  let inputsStart = 0;
  const key = (end: number): string => {
    const text = keys.slice(keyStart, end);
    keyStart = end;
    return text;
  };
  for (let row = 0; row < rows.length; row += COLUMNS) {
    const at = (column: number): number => rows[row + column] ?? -1;
    const action: Mutable<GraphAction> = {
      kind: entry(KINDS, at(Column.kind)),
      id: at(Column.actionId),
      operation: entry(packed.operations, at(Column.operation)),
      operationKey: key(at(Column.keyEnd)),
      attributes: entry(packed.attributes, at(Column.attributes)),
    };
    const internalKeyEnd = at(Column.internalKeyEnd);
    if (internalKeyEnd >= 0) action.internalOperationKey = key(internalKeyEnd);
    const node = packed.nodes[at(Column.node)];
    if (node !== undefined) action.node = node;
    const primitive = packed.primitives[at(Column.primitive)];
    if (primitive !== undefined) action.primitive = primitive;
    Object.assign(action, rare[at(Column.rare)]);
    const inputsEnd = at(Column.inputsEnd);
    const own = inputsEnd === inputsStart ? NONE : Array.from(inputs.subarray(inputsStart, inputsEnd));
    inputsStart = inputsEnd;
    synapses.push({ id: at(Column.id), priority: at(Column.priority), action, inputs: own });
    if (synapses.length % IN_ONE_STEP === 0) yield;
  }
  return { ...packed.head, synapses };
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const NONE: readonly number[] = Object.freeze([]);

function entry<Value>(table: readonly Value[], index: number): Value {
  const value = table[index];
  if (value === undefined) throw new RangeError(`a packed graph lacks entry ${index} of a table`);
  return value;
}

function isRare({ mode, shutdownLock, params, downed, maintenance }: GraphAction): boolean {
  return (mode ?? shutdownLock ?? params ?? downed ?? maintenance) !== undefined;
}

function rareOf({ mode, shutdownLock, params, downed, maintenance }: GraphAction): Rare {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(shutdownLock === undefined ? {} : { shutdownLock }),
    ...(params === undefined ? {} : { params }),
    ...(downed === undefined ? {} : { downed }),
    ...(maintenance === undefined ? {} : { maintenance }),
  };
}

/** Different values, each once. Equal ones are known again by their JSON, and the very same ones by themselves, which is quicker. */
class Table<Value extends string | object> {
  readonly values: Value[] = [];
  private readonly indexes = new Map<Value, number>();
  private readonly byJson = new Map<string, number>();

  /** -1 for none. */
  indexOf(value: Value | undefined): number {
    if (value === undefined) return -1;
    const known = this.indexes.get(value);
    if (known !== undefined) return known;
    const json = JSON.stringify(value);
    const index = this.byJson.get(json) ?? this.values.push(value) - 1;
    this.byJson.set(json, index);
    this.indexes.set(value, index);
    return index;
  }
}
