import type { CandidateTable } from './candidates.js';
import type { ScoreTrail } from './score-trail.js';

/** One line of the utilization listing (specification 08 §5.3): what a node can carry before or after placement, or what a resource takes on it. */
export interface UtilizationEntry {
  readonly phase: 'utilization';
  readonly moment: 'original' | 'assigned' | 'remaining';
  readonly node: string;
  /** For `assigned` only. */
  readonly resource?: string;
  /** Values as written, until placement changes them. */
  readonly amounts: readonly { readonly name: string; readonly value: string }[];
}

/** What comparing recorded parameters with the configuration noticed (specification 08 §5.5): a line on its own. */
export interface PlacementNote {
  readonly note: string;
}

/** A line of the score listing before it is expanded (specification 04 §13): a copy of a candidate table, one promotion score, utilization, or a note. */
export type ScoreRecord =
  | { readonly phase: string; readonly resource: string; readonly table: CandidateTable }
  | {
      readonly phase: 'promotion';
      readonly resource: string;
      readonly node: string | undefined;
      readonly score: number;
      readonly trail: ScoreTrail | undefined;
    }
  | UtilizationEntry
  | PlacementNote;
