import type { components } from '@systole/api-client';
import { listing } from './columns.js';
import type { Paint } from './paint.js';

type Resilience = components['schemas']['ResilienceDto'];
type Loss = components['schemas']['LossDto'];

/** Names that are shown of one kind; the rest are counted. */
const NAMED = 6;
const WORST = ['down', 'demoted'] as const;

/** A line for each loss, what must not be lost first. */
export function resilienceLines({ losses, singlePointsOfFailure, without }: Resilience, paint: Paint): readonly string[] {
  const rows = losses.map((loss) => [
    lostText(loss),
    loss.unnoticed === true
      ? paint('yellow', 'not noticed')
      : loss.failed !== undefined
        ? 'yes'
        : loss.quorum
          ? loss.unfenceable !== undefined
            ? paint('red', 'no fence device')
            : loss.fenced.length === loss.nodes.length
              ? 'yes'
              : 'not fenced'
          : paint('red', 'no quorum'),
    ...WORST.map((effect) => {
      const names = namesOf(loss, effect);
      return names === '' ? '-' : paint('red', names);
    }),
    String(countOf(loss, 'reduced')),
    String(countOf(loss, 'moved')),
    String(countOf(loss, 'restarted')),
    loss.plans === undefined ? paint('yellow', 'does not rest') : String(loss.actions),
  ]);
  const points = singlePointsOfFailure.map(lostText);
  return [
    ...listing(
      ['lost', 'recovers', 'down', 'demoted', 'reduced', 'moved', 'restarted', 'actions'],
      rows,
      'Nothing is there that could be lost.',
    ),
    '',
    points.length === 0
      ? paint('green', 'Nothing would be down.')
      : paint('red', `Something would be down at the loss of: ${points.join('; ')}. systole --json resilience says why.`),
    ...(without.length === 0 ? [] : [`Without a value of the attribute, and not tried: ${without.join(' ')}`]),
  ];
}

function lostText({ nodes, failed }: Pick<Loss, 'nodes' | 'failed'>): string {
  return failed === undefined ? nodes.join(' ') : `${failed.resource} on ${failed.node}`;
}

function countOf({ affected }: Loss, effect: Loss['affected'][number]['effect']): number {
  return affected.filter((one) => one.effect === effect).length;
}

function namesOf({ affected }: Loss, effect: (typeof WORST)[number]): string {
  const names = affected.filter((one) => one.effect === effect).map(({ resource }) => resource);
  return names.length <= NAMED ? names.join(' ') : `${names.slice(0, NAMED).join(' ')} and ${String(names.length - NAMED)} more`;
}
