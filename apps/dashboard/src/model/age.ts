import { clock } from './clock.js';

/** What is older was missed by two refreshes and more, ms. */
const STALE_AFTER_MS = 12_000;

/**
 * How old a picture is, in words.
 *
 * @param readAt epoch ms at which it was read @param now epoch ms, by the same clock; earlier than `readAt` when that clock was set back
 */
export function ageOf(readAt: number, now: number): { readonly stale: boolean; readonly text: string } {
  const at = clock(new Date(readAt).toISOString());
  const age = now - readAt;
  if (age >= 0 && age <= STALE_AFTER_MS) return { stale: false, text: `As of ${at}` };
  const old = age < 0 ? 'of unknown age: this clock was set back' : `${span(age)} old`;
  return { stale: true, text: `What you see is ${old} (as of ${at}). It is not what the cluster is like now.` };
}

function span(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}
