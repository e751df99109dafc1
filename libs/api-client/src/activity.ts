import type { components } from './schema.js';

type Status = components['schemas']['StatusDto'];
type Trouble = components['schemas']['TroubleDto'];

/** What is going on in a cluster. */
export interface Activity {
  /** `calm` only where nothing is wrong; `bad` and `warn`: what is wrong is said first. */
  readonly mood: 'calm' | 'busy' | 'waiting' | 'warn' | 'bad';
  /** In lower case, without the `furtherTroubles`: `settled`, `transition 7 running`. */
  readonly text: string;
}

/** Troubles that say in their text how the cluster is at all: `maintenance: nothing is started, …`. Whatever else goes on comes after them. */
const PREVAILING: readonly string[] = ['maintenance-mode', 'nothing-managed'];

/** Troubles that the text of the activity does not name itself. */
export function furtherTroubles({ troubles }: Pick<Status, 'troubles'>): readonly Trouble[] {
  return troubles.filter(({ code }) => !PREVAILING.includes(code));
}

/**
 * What is going on, for every client. Troubles that contradict the rest decide: what nobody moves is not busy, what can't be planned is not being computed, and
 * what came to rest in ruins, or unguarded, or with nobody to manage it, is not settled.
 */
export function activityOf(status: Status): Activity {
  const prevailing = status.troubles.filter(({ code }) => PREVAILING.includes(code));
  const progress = progressOf(status);
  if (prevailing.length === 0) return progress;
  const texts = prevailing.map(({ text }) => text);
  const isBad = progress.mood === 'bad' || worstOf(prevailing) === 'bad';
  return { mood: isBad ? 'bad' : 'warn', text: [...texts, ...(isAtRest(status) ? [] : [progress.text])].join('; ') };
}

function isAtRest({ settled, transition, hold }: Status): boolean {
  return settled && transition === undefined && hold === undefined;
}

function progressOf({ settled, transition, hold, recompute, stopping, troubles, past }: Status): Activity {
  const has = (code: string): boolean => troubles.some((trouble) => trouble.code === code);
  if (has('log-unwritable')) return { mood: 'bad', text: 'stands still: events can not be stored' };
  if (has('no-worker')) return { mood: 'bad', text: 'stands still: no worker' };
  if (transition !== undefined) {
    const { number, status, abortReason } = transition;
    const why = abortReason === undefined ? '' : ` (${abortReason})`;
    const text = `transition ${number} ${status}${why}: ${progressText(transition)}`;
    return hold === undefined ? { mood: 'busy', text } : { mood: 'waiting', text: `${text}; waiting: ${hold}` };
  }
  if (has('planning-failed')) return { mood: 'bad', text: 'can not be planned' };
  if (hold !== undefined) return { mood: 'waiting', text: `waiting: ${hold}` };
  if (settled)
    // Nobody knows of the past whether somebody looked after it.
    return troubles[0] === undefined
      ? { mood: 'calm', text: past === undefined ? 'settled' : 'nothing in progress' }
      : { mood: worstOf(troubles), text: 'nothing in progress' };
  if (recompute !== undefined) return { mood: 'busy', text: `computing: ${recompute}` };
  if (has('lease-unjudged')) return { mood: 'bad', text: 'stands still' };
  if (has('fencing-blocked')) return { mood: 'bad', text: 'fencing that was asked for is open' };
  if (stopping !== undefined) return { mood: 'waiting', text: 'stopping, to be deleted' };
  return { mood: 'busy', text: 'busy' };
}

/** Whoever does not answer for so long is named, s. */
const LONG_S = 10;

/** How many actions ended, are under way and are still to come, out of how many; as far as the server says. */
function progressText({ status, ended, failed, actions, inFlight, waitsFor = [] }: NonNullable<Status['transition']>): string {
  const outOf = actions === undefined ? '' : ` of ${actions} actions`;
  const underWay = inFlight === undefined ? [] : [`${inFlight} in flight`];
  const left = actions === undefined || inFlight === undefined ? undefined : Math.max(0, actions - ended - inFlight);
  const toCome = left === undefined ? [] : [`${left} ${status === 'running' ? 'to come' : 'not begun'}`];
  const [longest] = waitsFor;
  const awaited = longest === undefined || longest.forSeconds < LONG_S ? [] : [`waits for ${longest.text}`];
  return [`${ended}${outOf} ended, ${failed} not as expected`, ...underWay, ...toCome, ...awaited].join(', ');
}

function worstOf(troubles: readonly Trouble[]): Trouble['level'] {
  return troubles.some(({ level }) => level === 'bad') ? 'bad' : 'warn';
}
