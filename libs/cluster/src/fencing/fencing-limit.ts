import { parseBoolean, readingOf } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';
import { untoldMissingTickets } from '../epoch/missing-tickets.js';
import { isRestarted } from '../lease/restart.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import type { FencingAction } from './device.js';

/** Within which fencing is counted, ms. */
const WINDOW_MS = 10 * 60_000;
/** For how long a node that was fenced holds its lease until it counts as back, ms. */
const BACK_MS = 60_000;

/** Fencing that waits, and for how many ms more. */
export interface FencingHold {
  readonly target: string;
  readonly forMs: number;
  /** For people: why, and what they can do. */
  readonly reason: string;
}

/**
 * Most cluster nodes that are fenced within ten minutes: option `systole-fencing-limit` (a number, or a share of the configured nodes), by default a minority of
 * them, and at least one. One that is back (it has joined again, and held its lease for a minute since) is not counted any more. A fault of the server's own, or of the network around it, must not take a whole cluster down.
 *
 * @param now epoch ms, for rules
 */
export function fencingLimit({ cib }: Pick<ClusterState, 'cib'>, now: number): number {
  const nodes = configuredNodes(cib).length;
  const share = readingOf(cib, now).options.share('systole-fencing-limit');
  if (share?.by === 'count') return share.count;
  return Math.max(1, Math.floor(share === undefined ? (nodes - 1) / 2 : (nodes * share.percent) / 100));
}

/**
 * Whether the first attempt at fencing a node has to wait because so many others were fenced lately; or, of one that holds its lease, because the log went back in time and may have lost that a ticket was granted whose
 * loss fences nodes (`untoldMissingTickets`), until somebody says so. Never held: unfencing, what a person asked for
 * (attribute `terminate`) or allowed, a further try at one whose fencing failed within that time, one whose next boot waits to be let in (its life is over: nothing is taken
 * down); nor, because of others, nodes that are none of the cluster's own (remote ones).
 *
 * @param elapsed how long ago, ms, `cause` happened, which was dated `momentMs`: the caller knows by which clock
 * @param now epoch ms, for rules
 */
export function fencingHold(
  state: ClusterState,
  { target, action }: { readonly target: string; readonly action: FencingAction },
  elapsed: (cause: string, momentMs: number) => number,
  now: number,
): FencingHold | undefined {
  const names = configuredNodes(state.cib).map(({ name }) => name);
  if (action === 'on' || isRequested(state, target, now) || state.fencingAllowed.includes(target)) return undefined;
  const member = memberOf(state, target);
  const missing = member?.membership === 'joined' ? untoldMissingTickets(state) : [];
  if (missing.length > 0) return { target, forMs: Number.POSITIVE_INFINITY, reason: missingText(target, missing) };
  if (!names.includes(target)) return undefined;
  if (member !== undefined && member.membership !== 'joined' && isRestarted(member)) return undefined;
  const left = Object.entries(state.fencedAt)
    .filter(([name]) => names.includes(name))
    .map(([name, at]) => ({ name, ms: countedForMs(state, name, at, elapsed) }))
    .filter(({ ms }) => ms > 0)
    .toSorted((a, b) => a.ms - b.ms);
  const limit = fencingLimit(state, now);
  const others = left.filter(({ name }) => name !== target);
  // Another try at who is not known to be down yet. Not so for one that was back, and is lost again: whatever was fenced meanwhile is down besides.
  const tried = others.length < left.length && Object.hasOwn(state.fencingFailures, target);
  if (others.length < limit || tried) return undefined;
  const forMs = others[others.length - limit]?.ms ?? 0;
  const reason =
    `${others.map(({ name }) => name).join(', ')} fenced within ten minutes, and systole-fencing-limit is ${String(limit)}: ` +
    `${target} is fenced in ${String(Math.ceil(forMs / 1000))} s, or at once when somebody allows it (systole node allow-fencing ${target}) or has switched it off (systole node confirm-down ${target})`;
  return { target, forMs, reason };
}

function missingText(target: string, tickets: readonly string[]): string {
  const ways = tickets.map(
    (ticket) => `if ${ticket} is granted here, grant it (systole ticket grant ${ticket}), else revoke it (systole ticket revoke ${ticket})`,
  );
  return (
    `the event log went back in time, and does not know ${tickets.join(', ')} to be granted, whose loss fences nodes (loss-policy): it may have been granted in what was lost. ` +
    `${target}, which holds its lease, is not fenced until somebody says: ${ways.join('; ')}. It is fenced at once when somebody allows it (systole node allow-fencing ${target})`
  );
}

/**
 * What of the fencing that is due waits: for the limit, or for a ticket to be told of.
 *
 * @param wanted names of further nodes that the scheduler wants fenced: whatever they did, and whether they ever joined or not
 */
export function heldFencing(
  state: ClusterState,
  wanted: readonly string[],
  elapsed: (cause: string, momentMs: number) => number,
  now: number,
): readonly FencingHold[] {
  const pending = new Set(Object.values(state.fencing).map(({ target }) => target));
  const lost = Object.values(state.nodes).filter(
    ({ membership, overBefore }) => membership === 'lost' || (membership === 'unheard' && overBefore === undefined),
  );
  return [...new Set([...lost.map(({ name }) => name), ...wanted])]
    .filter((name) => !pending.has(name))
    .flatMap((target) => fencingHold(state, { target, action: 'off' }, elapsed, now) ?? []);
}

/** For how many ms more the fencing of a node counts: the rest of the ten minutes, or, when it holds a lease and no fencing of it is open, until it is back. */
function countedForMs(state: ClusterState, name: string, at: string, elapsed: (cause: string, momentMs: number) => number): number {
  const fenced = fencingOf(name, at);
  const joined = joinOf(state, name);
  const windowMs = WINDOW_MS - elapsed(fenced.cause, fenced.momentMs);
  if (joined === undefined || Object.values(state.fencing).some(({ target }) => target === name)) return windowMs;
  // Who joined before its fencing was asked for, and is there a minute after, was not taken down by it: which of the two came first, no clock has to tell.
  const backMs = [fenced, joined].map(({ cause, momentMs }) => BACK_MS - elapsed(cause, momentMs));
  return Math.min(windowMs, Math.max(...backMs));
}

/**
 * Without the fencing of nodes that are back (`fencedAt`), by the dates of the log: asked before the life ends in which they held their lease for so long, as nothing tells of it afterwards. So a node that
 * was back is not counted again when its agent is restarted, it leaves, or is lost.
 *
 * @param names whose lives end
 * @param at until when they held their leases, for certain
 */
export function withFencingForgotten(state: ClusterState, names: readonly string[], at: string): ClusterState {
  const measured = (_cause: string, momentMs: number): number => Date.parse(at) - momentMs;
  const back = names.filter((name) => {
    const fenced = Object.hasOwn(state.fencedAt, name) ? state.fencedAt[name] : undefined;
    return fenced !== undefined && joinOf(state, name) !== undefined && countedForMs(state, name, fenced, measured) <= 0;
  });
  if (back.length === 0) return state;
  return { ...state, fencedAt: Object.fromEntries(Object.entries(state.fencedAt).filter(([name]) => !back.includes(name))) };
}

interface Counted {
  readonly cause: string;
  /** Epoch ms, by the clock that dated it. */
  readonly momentMs: number;
}

/** Causes and moments that the limit counts: whoever measures it by a clock of its own takes note of them as soon as it sees them. */
export function countedFencing(state: Pick<ClusterState, 'fencedAt' | 'nodes'>): readonly Counted[] {
  return Object.entries(state.fencedAt).flatMap(([name, at]) => [fencingOf(name, at), joinOf(state, name) ?? []].flat());
}

function fencingOf(name: string, at: string): Counted {
  return { cause: `fencing of ${name}`, momentMs: Date.parse(at) };
}

/** The join of the life in which the node holds a lease. */
function joinOf({ nodes }: Pick<ClusterState, 'nodes'>, name: string): Counted | undefined {
  const member = Object.hasOwn(nodes, name) ? nodes[name] : undefined;
  if (member?.membership !== 'joined') return undefined;
  return { cause: `join of ${name}, incarnation ${String(member.incarnation)}`, momentMs: Date.parse(member.since) };
}

/** Whether somebody asked for the node's fencing: attribute `terminate` (specification 03 §2.3). @param now epoch ms, for rules */
export function isRequested(state: ClusterState, node: string, now: number): boolean {
  const value = nodeAttributesOf(state, node, now).get('terminate');
  return parseBoolean(value) === true || Number.parseInt(value ?? '', 10) > 0;
}
