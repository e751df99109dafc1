import { parseInterval, readingOf, WATCHDOG_DEVICE_ID } from '@systole/cib';
import { memberOf, type ClusterState, type NodeWatchdog, type PendingFencing } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { FencingDevice } from './device.js';

/** The type of a `stonith` primitive that stands for the nodes' own watchdogs: its list of hosts says whose count. No program is run for it. */
export const WATCHDOG_AGENT = 'fence_watchdog';

/** What the watchdogs are called in fencing levels where no primitive stands for them (specification 15 §1). */
const WATCHDOG_DEVICE: FencingDevice = {
  id: WATCHDOG_DEVICE_ID,
  agent: WATCHDOG_AGENT,
  parameters: {},
  differsByNode: false,
  disabled: false,
  unfences: false,
};

export function isWatchdog({ agent }: Pick<FencingDevice, 'agent'>): boolean {
  return agent === WATCHDOG_AGENT;
}

/** Least time beyond its time-out in which a watchdog has reset its machine, ms: it is fed once a second, and looks at its own clock as often. */
const LEAST_MARGIN_MS = 3_000;

/**
 * Option `fencing-watchdog-timeout` (specification 15 §1): after how long a lost node counts as reset by its watchdog, ms; `twice`: twice the time-out of its watchdog (any negative time). Undefined: watchdogs
 * don't count, or there is no fencing.
 */
export function watchdogTimeout(state: Pick<ClusterState, 'cib'>, now: number): number | 'twice' | undefined {
  const { options } = readingOf(state.cib, now);
  const text = options.text('fencing-watchdog-timeout')?.trim() ?? '0';
  const ms = parseInterval(text.replace(/^-/, '')) ?? 0;
  if (ms === 0 || !options.flag('fencing-enabled')) return undefined;
  return text.startsWith('-') ? 'twice' : ms;
}

/** The devices that fence, with the watchdogs of the nodes where these count and no primitive stands for them. */
export function devicesAndWatchdog(state: ClusterState, devices: readonly FencingDevice[]): readonly FencingDevice[] {
  const counts = watchdogTimeout(state, planTime(state)) !== undefined;
  const others = devices.filter((device) => !isWatchdog(device));
  if (!counts) return others;
  return others.length === devices.length && others.every(({ id }) => id !== WATCHDOG_DEVICE.id) ? [...devices, WATCHDOG_DEVICE] : devices;
}

/**
 * How long after the loss of its lease a node has been reset by its watchdog for certain, ms: what the option says, and never less than twice the time-out of the watchdog ({@link resetWithinMs}). Undefined where time proves
 * nothing: its agent has not told that the watchdog is armed, may have been told to do something else than to starve it, or watchdogs don't count.
 */
export function watchdogWaitMs(state: ClusterState, node: string): number | undefined {
  const asked = watchdogTimeout(state, planTime(state));
  const { watchdog, onLeaseLoss } = memberOf(state, node) ?? {};
  if (asked === undefined || watchdog?.armedSince === undefined || onLeaseLoss !== 'watchdog') return undefined;
  return Math.max(asked === 'twice' ? 2 * watchdog.timeoutMs : asked, resetWithinMs(watchdog));
}

/**
 * After how long a watchdog has reset its machine, ms, whatever its clock makes of the time-out. Its agent looks whether it may feed it, and feeds it; between the two it may stand still for nearly the whole time-out, after
 * which the watchdog has its time once more.
 */
export function resetWithinMs({ timeoutMs }: NodeWatchdog): number {
  return Math.max(2 * timeoutMs, timeoutMs + LEAST_MARGIN_MS);
}

/** Why time would not prove that a lost node is down although watchdogs count, for people; undefined: it would, or they don't count. */
export function watchdogObstacle(state: ClusterState, node: string): string | undefined {
  if (watchdogTimeout(state, planTime(state)) === undefined || watchdogWaitMs(state, node) !== undefined) return undefined;
  const member = memberOf(state, node);
  if (member?.watchdog === undefined) return `its agent has told of no watchdog whose time-out is known (--watchdog, --watchdog-timeout)`;
  if (member.onLeaseLoss !== 'watchdog')
    return `its agent is to ${member.onLeaseLoss ?? 'stop'} when it loses its lease, not to starve its watchdog (systole-on-lease-loss)`;
  return 'its watchdog is not armed yet';
}

/** The attempt by which a node that holds its lease, or has lost it, is to be reset by its own watchdog; undefined: there is none. */
export function awaitedReset(state: ClusterState, node: string): PendingFencing | undefined {
  const incarnation = memberOf(state, node)?.incarnation;
  return Object.values(state.fencing).find(
    ({ target, watchdogMs, targetIncarnation }) => target === node && watchdogMs !== undefined && targetIncarnation === incarnation,
  );
}

/**
 * Option `have-watchdog` as it is in truth: whether watchdogs count, and the agent of any node told of one when it joined last. Where only one node has one, its loss must not leave the resources of all unmanaged, just when they
 * are to be recovered. Which watchdogs count at the moment, the status says.
 *
 * @param now epoch ms, for rules
 */
export function haveWatchdog(state: ClusterState, now: number): boolean {
  return watchdogTimeout(state, now) !== undefined && Object.values(state.nodes).some(({ hasWatchdog }) => hasWatchdog === true);
}

/** What option `have-watchdog` is to say where it says something else; undefined: it is as it should be, or nothing more is configured. @param now epoch ms, for rules */
export function untrueHaveWatchdog(state: ClusterState, now: number): boolean | undefined {
  const inTruth = haveWatchdog(state, now);
  return state.stopping !== undefined || readingOf(state.cib, now).options.flag('have-watchdog') === inTruth ? undefined : inTruth;
}

/** How an attempt stands in which the target is reset by its own watchdog. */
export type Counting =
  /** The target still holds its lease: its agent is told to let it go, and not to feed the watchdog any more. */
  | { readonly type: 'until-lost' }
  /** It was lost with the event of that version: `forMs` after that it has been reset. */
  | { readonly type: 'since-lost'; readonly version: number; readonly at: string; readonly forMs: number }
  /** Time proves nothing of it; `reason` is for people. */
  | { readonly type: 'void'; readonly reason: string };

/** @param request with `watchdogMs` */
export function countingOf(state: ClusterState, request: PendingFencing): Counting {
  const { target, targetIncarnation, watchdogMs = 0 } = request;
  const member = memberOf(state, target);
  const waitMs = watchdogWaitMs(state, target);
  if (member?.incarnation !== targetIncarnation) return { type: 'void', reason: `called off: ${target} has joined anew` };
  if (member.membership !== 'joined' && member.membership !== 'lost')
    return { type: 'void', reason: `called off: ${target} is ${member.membership}` };
  if (waitMs === undefined) return { type: 'void', reason: `called off: nobody can count on the watchdog of ${target} any more` };
  if (member.membership === 'joined') return { type: 'until-lost' };
  const { lastLoss } = member;
  if (lastLoss === undefined) return { type: 'void', reason: `called off: the loss of ${target} is not known` };
  return { type: 'since-lost', version: lastLoss.version, at: lastLoss.at, forMs: Math.max(waitMs, watchdogMs) };
}
