import type { components } from '@systole/api-client';

type Status = components['schemas']['StatusDto'];

/** What is going on in a cluster. */
export interface Activity {
  readonly mood: 'calm' | 'busy' | 'waiting' | 'warn' | 'bad';
  readonly text: string;
}

/** Something that is wrong in a cluster, and how bad that is. */
export interface Trouble {
  readonly mood: 'warn' | 'bad';
  readonly text: string;
}

/** What is going on; where nothing is, what is wrong: a cluster that came to rest in ruins is not calm. */
export function activityOf(status: Status): Activity {
  const { settled, transition, hold, recompute } = status;
  if (transition !== undefined) {
    const why = transition.abortReason === undefined ? '' : `: ${transition.abortReason}`;
    return { mood: 'busy', text: `Transition ${transition.number} ${transition.status}${why}` };
  }
  if (hold !== undefined) return { mood: 'waiting', text: `Waiting: ${hold}` };
  if (!settled) return { mood: 'busy', text: recompute === undefined ? 'Busy' : `Computing: ${recompute}` };
  const troubles = troublesOf(status);
  const worst = troubles[0];
  if (worst === undefined) return { mood: 'calm', text: 'Settled' };
  return { mood: worst.mood, text: `Nothing in progress; ${troubles.map(({ text }) => text).join(', ')}` };
}

/** Everything that is wrong, the worst first. */
export function troublesOf({ nodes, quorum, resources, failures }: Status): readonly Trouble[] {
  const offline = nodes.filter(({ online }) => !online).length;
  const troubles: readonly (Trouble | false)[] = [
    nodes.some(({ unclean }) => unclean) && { mood: 'bad', text: 'unclean node' },
    quorum?.quorate === false && { mood: 'bad', text: 'no quorum' },
    nodes.length > 0 && offline === nodes.length && { mood: 'bad', text: 'no node is online' },
    resources.some(failedSomewhere) && { mood: 'bad', text: 'failed resource' },
    offline > 0 && offline < nodes.length && { mood: 'warn', text: offline === 1 ? 'a node is offline' : `${offline} nodes are offline` },
    failures.length > 0 && { mood: 'warn', text: failures.length === 1 ? 'a failed operation' : `${failures.length} failed operations` },
  ];
  return troubles.filter((trouble) => trouble !== false);
}

/** How a cluster is, in a word: the worst that can be said of it. */
export function healthOf(status: Status): { readonly mood: 'good' | 'warn' | 'bad'; readonly text: string } {
  return troublesOf(status)[0] ?? { mood: 'good', text: 'healthy' };
}

function failedSomewhere({ failed, children }: components['schemas']['ResourceSummaryDto']): boolean {
  return failed || children.some(failedSomewhere);
}
