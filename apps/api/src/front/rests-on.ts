/**
 * The header in which the operators' thread tells the front what an answer rests on, so that the front may give it again (see kept-answers.ts). It never
 * leaves the process.
 */
export const RESTS_ON_HEADER = 'x-systole-rests-on';

/** For how long an answer that tells of more than the state is given again while nothing happens. */
export interface Good {
  /** To everybody, ms. */
  readonly freshMs: number;
  /** And so long while the next one is being made, ms. */
  readonly givenMs: number;
}

/** What an answer follows from, besides what was asked and by whom. */
export interface Basis {
  readonly clusterId: string;
  /** Hash of the newest event of the cluster when it was made. */
  readonly headHash: string;
  /** For how long it may be given again while that event is the newest; absent: for ever, because it tells of nothing else. */
  readonly good?: Good;
  /** The pattern of the path that was asked for, as metrics count it. */
  readonly route: string;
}

export function basisText(basis: Basis): string {
  return JSON.stringify(basis);
}

/** What {@link basisText} wrote; undefined where an answer bears none. */
export function readBasis(text: string | readonly string[] | undefined): Basis | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Basis) : undefined;
}
