import { activityOf, furtherTroubles, type Activity, type components } from '@systole/api-client';

type Status = components['schemas']['StatusDto'];

/** What is going on, as a line of its own, with everything that is wrong. */
export function headlineOf(status: Status): Activity {
  const { mood, text } = activityOf(status);
  const said = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return { mood, text: [said, ...furtherTroubles(status).map((trouble) => trouble.text)].join('; ') };
}

/** How a cluster is, in a word: the worst that can be said of it. */
export function healthOf({ troubles }: Status): { readonly mood: 'good' | 'warn' | 'bad'; readonly text: string } {
  const worst = troubles[0];
  return worst === undefined ? { mood: 'good', text: 'healthy' } : { mood: worst.level, text: worst.text };
}
