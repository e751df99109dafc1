import type { ElapsedSince } from '../lease/elapsed-since.js';
import { memberOf, type ClusterState } from './cluster-state.js';
import { nodeIdOf } from './configuration.js';
import { nodeStateOf, transientAttribute } from './node-state.js';
import { without } from './without.js';

/** A transient attribute whose changes wait for others of it, on whatever node, and are written all together (specification 12 §2). */
export interface DampenedAttribute {
  /** How long nothing of it may change before it is written, ms. 0: that is over, and what is held is written at once. */
  readonly delayMs: number;
  readonly held?: HeldValues;
}

export interface HeldValues {
  /** ISO time of the newest change. */
  readonly since: string;
  /** Stream version of that. */
  readonly version: number;
  /** What is to be written, by node name; null: it is to be cleared. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** What is known of an attribute's dampening; undefined where nobody ever asked for any. */
export function dampeningOf({ dampened }: ClusterState, name: string): DampenedAttribute | undefined {
  return dampened !== undefined && Object.hasOwn(dampened, name) ? dampened[name] : undefined;
}

/** How long changes of an attribute are held, ms. */
export function delayOf(state: ClusterState, name: string): number {
  return dampeningOf(state, name)?.delayMs ?? 0;
}

/** What is held of an attribute for a node; null: that it is cleared; undefined: nothing. */
export function heldValue(state: ClusterState, node: string, name: string): string | null | undefined {
  const values = dampeningOf(state, name)?.held?.values;
  return values !== undefined && Object.hasOwn(values, node) ? values[node] : undefined;
}

/** What is written of a transient attribute; undefined: it is not set. */
export function writtenTransient(state: ClusterState, node: string, name: string): string | undefined {
  return transientAttribute(nodeStateOf(state.cib, { id: memberOf(state, node)?.id ?? nodeIdOf(state, node), name: node }), name);
}

/** What a node's agents said last of a transient attribute, written yet or not; undefined: it is not set. */
export function newestTransient(state: ClusterState, node: string, name: string): string | undefined {
  const held = heldValue(state, node, name);
  return held === undefined ? writtenTransient(state, node, name) : (held ?? undefined);
}

export function withDelay(state: ClusterState, name: string, delayMs: number): ClusterState {
  return withDampening(state, name, { ...dampeningOf(state, name), delayMs });
}

/** Holds a change, and all of that attribute from now on for its delay. What is as it is written has nothing to wait for. */
export function withHeld(
  state: ClusterState,
  change: { readonly node: string; readonly name: string; readonly value: string | null; readonly delayMs: number },
  now: { readonly since: string; readonly version: number },
): ClusterState {
  const { node, name, value, delayMs } = change;
  const rest = withoutNode(dampeningOf(state, name)?.held?.values ?? {}, node);
  const values = (writtenTransient(state, node, name) ?? null) === value ? rest : { ...rest, [node]: value };
  return withDampening(state, name, { delayMs, held: { ...now, values } });
}

/** Of an attribute of a node that was written, or is over: nothing waits any more. */
export function withoutHeld(state: ClusterState, node: string, name: string): ClusterState {
  const before = dampeningOf(state, name);
  if (before?.held === undefined || !Object.hasOwn(before.held.values, node)) return state;
  return withDampening(state, name, { ...before, held: { ...before.held, values: withoutNode(before.held.values, node) } });
}

/** What was held for a node whose life, and with it its transient attributes, is over. @param picked by name; absent: all of it */
export function withNothingHeld(state: ClusterState, node: string, picked: (name: string) => boolean = () => true): ClusterState {
  const names = Object.keys(state.dampened ?? {}).filter(picked);
  return names.reduce((next, name) => withoutHeld(next, node, name), state);
}

/** The size of what is to be set of a node's attributes but the one of that name. */
export function heldSizeWithout(state: ClusterState, node: string, name: string): { readonly count: number; readonly chars: number } {
  let count = 0;
  let chars = 0;
  for (const held of Object.keys(state.dampened ?? {})) {
    const value = held === name ? undefined : heldValue(state, node, held);
    if (typeof value !== 'string') continue;
    count += 1;
    chars += held.length + value.length;
  }
  return { count, chars };
}

/** What waits, and in how many ms it is to be written: not before 0. @param elapsed how long ago something happened, ms */
export function heldAttributes(
  { dampened = {} }: ClusterState,
  elapsed: ElapsedSince,
): readonly { readonly name: string; readonly inMs: number }[] {
  return Object.entries(dampened).flatMap(([name, { delayMs, held }]) =>
    held === undefined ? [] : [{ name, inMs: delayMs - elapsed(`change of attribute ${name}`, Date.parse(held.since), held.version) }],
  );
}

function withDampening(state: ClusterState, name: string, { delayMs, held }: DampenedAttribute): ClusterState {
  const isHeld = held !== undefined && Object.keys(held.values).length > 0;
  const rest = Object.fromEntries(Object.entries(state.dampened ?? {}).filter(([known]) => known !== name));
  const dampened = isHeld || delayMs > 0 ? { ...rest, [name]: { delayMs, ...(isHeld ? { held } : {}) } } : rest;
  return Object.keys(dampened).length === 0 ? without(state, 'dampened') : { ...state, dampened };
}

function withoutNode(values: HeldValues['values'], node: string): HeldValues['values'] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== node));
}
