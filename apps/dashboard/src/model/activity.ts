import type { components } from '@systole/api-client';

type Status = components['schemas']['StatusDto'];

/** What is going on in a cluster. */
export interface Activity {
  readonly mood: 'calm' | 'busy' | 'waiting';
  readonly text: string;
}

export function activityOf({ settled, transition, hold, recompute }: Status): Activity {
  if (transition !== undefined) {
    const why = transition.abortReason === undefined ? '' : `: ${transition.abortReason}`;
    return { mood: 'busy', text: `Transition ${transition.number} ${transition.status}${why}` };
  }
  if (hold !== undefined) return { mood: 'waiting', text: `Waiting: ${hold}` };
  if (settled) return { mood: 'calm', text: 'Settled' };
  return { mood: 'busy', text: recompute === undefined ? 'Busy' : `Computing: ${recompute}` };
}

/** How a cluster is, in a word: the worst that can be said of it. */
export function healthOf(status: Status): { readonly mood: 'good' | 'warn' | 'bad'; readonly text: string } {
  if (status.nodes.some(({ unclean }) => unclean)) return { mood: 'bad', text: 'unclean node' };
  if (status.quorum !== undefined && !status.quorum.quorate) return { mood: 'bad', text: 'no quorum' };
  if (status.resources.some(failedSomewhere)) return { mood: 'bad', text: 'failed resource' };
  const offline = status.nodes.filter(({ online }) => !online).length;
  if (offline > 0) return { mood: 'warn', text: offline === 1 ? 'a node is offline' : `${offline} nodes are offline` };
  if (status.failures.length > 0) return { mood: 'warn', text: 'failed operations' };
  return { mood: 'good', text: 'healthy' };
}

function failedSomewhere({ failed, children }: components['schemas']['ResourceSummaryDto']): boolean {
  return failed || children.some(failedSomewhere);
}
