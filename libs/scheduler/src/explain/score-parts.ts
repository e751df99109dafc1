import { addScores, formatScore } from '@systole/cib';
import { INFINITY } from '../model/score.js';
import { partsOf, type ScoreCause, type ScoreTrail } from '../model/score-trail.js';
import { outcomeText } from './outcome-text.js';

/** A named part of a score. The amounts of all parts, added up in order by the arithmetic of scores (specification 01 §10.1), are the score. */
export interface ScorePart {
  readonly cause: ScoreCause;
  /** In -1,000,000 … 1,000,000 (±INFINITY), as `addScores` takes it. */
  readonly amount: number;
  /** The cause in words, e.g. `failures: 2 x -100`. */
  readonly text: string;
}

/** The parts of a score, in the order in which placement added them. Empty for a score of 0 that nothing had an influence on. */
export function scoreParts(trail: ScoreTrail | undefined): ScorePart[] {
  const parts: ScorePart[] = [];
  let sum = 0;
  let sumBeforeLast = 0;
  for (const { cause, amount, total } of partsOf(trail)) {
    const text = describeCause(cause, amount);
    const last = parts.at(-1);
    const both = last?.text === text ? addScores(last.amount, amount) : undefined;
    // What placement adds in two steps for one cause is one part, where that comes to the same.
    if (both !== undefined && addScores(sumBeforeLast, both) === total) parts[parts.length - 1] = { cause, amount: both, text };
    else {
      parts.push({ cause, amount, text });
      sumBeforeLast = sum;
    }
    sum = total;
  }
  return parts;
}

/** What stands behind the name of the clone or bundle. */
const instanceTexts: Readonly<Record<Extract<ScoreCause, { kind: 'instance' }>['why'], string>> = {
  'node-unusable': 'can not run there now',
  'not-allowed': 'may not run there',
  'node-full': 'has as many instances there as it may have on one node',
  surplus: 'has instances enough without this one',
  'enough-instances': 'has as many instances as it may have',
};

/** A cause in words: short, lower case, with the ids of the configuration. `amount` is what it adds. */
export function describeCause(cause: ScoreCause, amount: number): string {
  switch (cause.kind) {
    case 'node':
      return "the node's own score";
    case 'health':
      return `health of the node (${cause.strategy})`;
    case 'location':
      return `location ${cause.constraint}`;
    case 'stickiness':
      return 'stickiness: it runs there';
    case 'failures':
      return `failures: ${String(cause.count)} x ${formatScore(cause.each)}`;
    case 'migration-threshold':
      return `fail count of ${cause.resource} there is ${formatScore(cause.failures)}, migration-threshold is ${formatScore(cause.threshold)}`;
    case 'colocation':
      return describeColocation(cause);
    case 'dependent':
      return describeDependent(cause, amount);
    case 'dependent-floor':
      return `wishes of ${cause.dependent} alone do not ban the node`;
    case 'promotion-score':
      return `promotion score of ${cause.resource}`;
    case 'no-promotion-score':
      return `${cause.resource} has set no promotion score there`;
    case 'priority':
      return 'priority';
    case 'already-promoted':
      return 'it is to be promoted in any case';
    case 'not-promotable':
      return `it is to be ${cause.role}`;
    case 'not-placed':
      return 'it has no node';
    case 'no-partner':
      return `colocation ${cause.constraint}: there is no ${cause.primary} in that role there`;
    case 'ticket':
      return `ticket ${cause.ticket} is not granted`;
    case 'shutdown-lock':
      return `locked to ${cause.node}, which was shut down`;
    case 'exclusive-discovery':
      return 'allowed only where a location constraint with resource-discovery="exclusive" says so';
    case 'to-be-stopped':
      return 'it is to be stopped';
    case 'history':
      return outcomeText(cause.operation, cause.rc, cause.status);
    case 'multiply-active':
      return 'it is active on several nodes';
    case 'unmanaged':
      return 'unmanaged: it stays where it is';
    case 'removed':
      return 'it is no longer configured';
    case 'utilization':
      return 'too little free capacity';
    case 'instance':
      return `${cause.collective} ${instanceTexts[cause.why]}`;
    case 'bundle-node':
      return 'the inside of a bundle runs on the node of its replica';
    case 'remote-node':
      return 'it may not run on remote or guest nodes';
    case 'launcher':
      return `runs inside ${cause.launcher}`;
  }
}

/** Colocations that the scheduler makes by itself (specification 07 §7; 05 §13): what the primary is to the dependent. */
const implicitColocations: ReadonlyMap<string, string> = new Map([
  ['#group-members', 'before it in the group'],
  ['#resource-with-container', 'its container'],
  ['#ip-with-container', 'the container that it is the address of'],
]);

function describeColocation({ constraint, primary }: Extract<ScoreCause, { kind: 'colocation' }>): string {
  const implicit = implicitColocations.get(constraint);
  return implicit === undefined ? `colocation ${constraint} with ${primary}` : `together with ${primary}, ${implicit}`;
}

function describeDependent({ constraint, dependent, apart, through }: Extract<ScoreCause, { kind: 'dependent' }>, amount: number): string {
  const via = through.length === 0 ? '' : ` through ${[...through].reverse().join(', ')}`;
  const explicit = constraint !== '' && !implicitColocations.has(constraint);
  const why = `${via}${explicit ? ` (colocation ${constraint})` : ', which is together with it'}`;
  if (apart) return `opposite of the preference of ${dependent}${why}`;
  if (amount >= 0) return `preference of ${dependent}${why}`;
  return amount <= -INFINITY ? `no place for ${dependent}${why}` : `preference of ${dependent} for other nodes${why}`;
}
