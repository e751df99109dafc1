import type { components } from '@systole/api-client';

type Status = components['schemas']['StatusDto'];

/** What is going on in a cluster. */
export interface Activity {
  readonly mood: 'calm' | 'busy' | 'waiting' | 'warn' | 'bad';
  readonly text: string;
}

/** What is going on; where nothing is, what is wrong: a cluster that came to rest in ruins is not calm. */
export function activityOf(status: Status): Activity {
  const { settled, transition, hold, recompute, troubles } = status;
  const standstill = troubles.find(({ code }) => code === 'no-worker');
  if (standstill !== undefined) return { mood: 'bad', text: `Stands still: ${standstill.text}` };
  if (transition !== undefined) {
    const why = transition.abortReason === undefined ? '' : `: ${transition.abortReason}`;
    const text = `Transition ${transition.number} ${transition.status}${why}`;
    return hold === undefined ? { mood: 'busy', text } : { mood: 'waiting', text: `${text}; waiting: ${hold}` };
  }
  if (hold !== undefined) return { mood: 'waiting', text: `Waiting: ${hold}` };
  const unjudged = troubles.find(({ code }) => code === 'lease-unjudged');
  if (recompute === undefined && unjudged !== undefined) return { mood: 'bad', text: `Stands still: ${unjudged.text}` };
  if (!settled) return { mood: 'busy', text: recompute === undefined ? 'Busy' : `Computing: ${recompute}` };
  const worst = troubles[0];
  if (worst === undefined) return { mood: 'calm', text: 'Settled' };
  return { mood: worst.level, text: `Nothing in progress; ${troubles.map(({ text }) => text).join('; ')}` };
}

/** How a cluster is, in a word: the worst that can be said of it. */
export function healthOf({ troubles }: Status): { readonly mood: 'good' | 'warn' | 'bad'; readonly text: string } {
  const worst = troubles[0];
  return worst === undefined ? { mood: 'good', text: 'healthy' } : { mood: worst.level, text: worst.text };
}
