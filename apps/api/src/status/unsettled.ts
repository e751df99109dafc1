import type { AwaitedAgentDto, StatusDto } from './status.dto.js';

type Facts = Pick<StatusDto, 'troubles' | 'hold' | 'recompute' | 'transition'>;

/** What keeps a cluster from coming to rest, for people: what is under way, what is waited for, and everything that is bad. */
export function unsettledBecause({ troubles, hold, recompute, transition }: Facts): readonly string[] {
  return [
    ...(transition === undefined ? [] : [transitionText(transition)]),
    ...(hold === undefined ? [] : [hold]),
    ...(transition !== undefined || hold !== undefined || recompute === undefined ? [] : [`it is to be planned anew: ${recompute}`]),
    ...troubles.flatMap(({ code, level, text }) => (level === 'bad' || code === 'stopping' ? [text] : [])),
  ];
}

function transitionText({
  number,
  status,
  abortReason,
  ended,
  failed,
  actions,
  waitsFor = [],
}: NonNullable<StatusDto['transition']>): string {
  const why = abortReason === undefined ? '' : ` (${abortReason})`;
  const outOf = actions === undefined ? '' : `of ${String(actions)} `;
  return `transition ${String(number)} is ${status}${why}: ${String(ended)} ${outOf}actions ended, ${String(failed)} not as expected${awaitedText(waitsFor)}`;
}

/** Agents that a text lists before it only counts. */
const NAMED = 3;

function awaitedText(agents: readonly AwaitedAgentDto[]): string {
  if (agents.length === 0) return '';
  const more = agents.length > NAMED ? ` and ${String(agents.length - NAMED)} more nodes` : '';
  return `; waits for ${agents
    .slice(0, NAMED)
    .map(({ text }) => text)
    .join(', ')}${more}`;
}
