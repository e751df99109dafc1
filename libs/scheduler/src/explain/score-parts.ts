import { formatScore } from '@systole/cib';
import { partsOf, type ScoreCause, type ScoreTrail } from '../model/score-trail.js';

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
  return partsOf(trail).map(({ cause, amount }) => ({ cause, amount, text: describeCause(cause) }));
}

const instanceTexts: Readonly<Record<Extract<ScoreCause, { kind: 'instance' }>['why'], string>> = {
  'node-unusable': 'the node can not run anything now',
  'not-allowed': 'the whole is not allowed on the node',
  'node-full': 'the node has as many instances as it may',
  surplus: 'the instance is surplus',
  'enough-instances': 'there are as many instances as there may be',
};

/** A cause in words: short, lower case, with the ids of the configuration. */
export function describeCause(cause: ScoreCause): string {
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
      return `${cause.resource} failed ${formatScore(cause.failures)} times there, migration-threshold is ${formatScore(cause.threshold)}`;
    case 'colocation':
      return `colocation ${cause.constraint} with ${cause.primary}`;
    case 'dependent':
      return describeDependent(cause);
    case 'dependent-floor':
      return `what ${cause.dependent} would like does not make the node unusable`;
    case 'promotion-score':
      return `promotion score of ${cause.resource}`;
    case 'no-promotion-score':
      return `${cause.resource} has set no promotion score there`;
    case 'priority':
      return 'priority';
    case 'already-promoted':
      return 'is to be promoted in any case';
    case 'not-promotable':
      return `is to be ${cause.role}`;
    case 'not-placed':
      return 'has no node';
    case 'no-partner':
      return `colocation ${cause.constraint}: there is no ${cause.primary} in that role there`;
    case 'ticket':
      return `ticket ${cause.ticket} is not granted`;
    case 'shutdown-lock':
      return `locked to ${cause.node}, which was shut down`;
    case 'exclusive-discovery':
      return 'resource-discovery="exclusive" elsewhere';
    case 'to-be-stopped':
      return 'it is to be stopped';
    case 'history':
      return `history: ${cause.operation} ended with ${String(cause.rc)} (op-status ${String(cause.status)})`;
    case 'multiply-active':
      return 'it is active on several nodes';
    case 'unmanaged':
      return 'unmanaged: it stays where it is';
    case 'removed':
      return 'it is no longer configured';
    case 'utilization':
      return 'too little free capacity';
    case 'instance':
      return `${cause.collective}: ${instanceTexts[cause.why]}`;
    case 'bundle-node':
      return 'the inside of a bundle runs on the node of its replica';
    case 'remote-node':
      return 'may not run on nodes with a connection';
    case 'launcher':
      return `runs inside ${cause.launcher}`;
  }
}

function describeDependent({ constraint, dependent, through }: Extract<ScoreCause, { kind: 'dependent' }>): string {
  const via = through.length === 0 ? '' : ` through ${[...through].reverse().join(', ')}`;
  const by = constraint === '' ? '' : ` (colocation ${constraint})`;
  return `preference of ${dependent}${via}${by}`;
}
