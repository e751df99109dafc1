import type { Following } from './following.js';
import { addScores } from './score.js';
import { addToTrail, addTrail, leadTo, type ScoreCause, type ScoreTrail } from './score-trail.js';

/** Whether a resource is probed on a node (specification 04 §4.4); a higher mode wins. */
export enum ProbeMode {
  Always = 1,
  Never = 2,
  Exclusive = 3,
}

const ABSENT = 0;
/** Shared by tables without room, which most copies begin as. */
const NO_SCORES = new Int32Array(0);
const NO_MODES = new Uint8Array(0);
const modes = [undefined, ProbeMode.Always, ProbeMode.Never, ProbeMode.Exclusive] as const;

/**
 * A resource's candidate table (specification 04 §1): node index -> score, probe mode and tally. Kept as typed arrays, since a
 * cluster has nodes x resources of these entries. A node that is missing from the table is no candidate at all.
 */
export class CandidateTable {
  private scores: Int32Array;
  private modes: Uint8Array;
  private tallies: Int32Array | undefined;
  /** What the scores are made of, where that is asked for. */
  private trails: (ScoreTrail | undefined)[] | undefined;
  private entries = 0;
  /** What was computed from the scores, and holds until one of them changes. */
  private followings: Following[] | undefined;

  /** A `traced` table remembers what its scores are made of. */
  constructor(capacity = 0, traced = false) {
    this.scores = capacity === 0 ? NO_SCORES : new Int32Array(capacity);
    this.modes = capacity === 0 ? NO_MODES : new Uint8Array(capacity);
    this.trails = traced ? [] : undefined;
  }

  get traced(): boolean {
    return this.trails !== undefined;
  }

  /** Number of candidates. */
  get size(): number {
    return this.entries;
  }

  /** Above every index, for the loops that are run most; others go through `indexes`. */
  get capacity(): number {
    return this.modes.length;
  }

  has(node: number): boolean {
    return (this.modes[node] ?? ABSENT) !== ABSENT;
  }

  /** Score of a candidate; 0 for a node that is missing, so ask `has` first where that matters. */
  score(node: number): number {
    return this.scores[node] ?? 0;
  }

  /** Probe mode of a candidate, undefined for a missing one. */
  mode(node: number): ProbeMode | undefined {
    return modes[this.modes[node] ?? ABSENT];
  }

  /** What a candidate's score is made of; undefined for a score of 0 without parts, and in a table that isn't traced. */
  trail(node: number): ScoreTrail | undefined {
    return this.trails?.[node];
  }

  /** Keeps in mind what was computed from these scores. */
  addFollowing(following: Following): void {
    if (this.followings) this.followings.push(following);
    else this.followings = [following];
  }

  /** What was computed from these scores doesn't hold any more. */
  forgetFollowings(): void {
    if (!this.followings) return;
    for (const following of this.followings) following.forget();
    this.followings = undefined;
  }

  /** Sets the score of an existing candidate. */
  setScore(node: number, score: number, cause: ScoreCause): void {
    this.forgetFollowings();
    this.scores[node] = score;
    if (this.trails) this.trails[node] = leadTo(this.trails[node], score, cause);
  }

  /** Adds to the score of an existing candidate. */
  addScore(node: number, amount: number, cause: ScoreCause): void {
    this.forgetFollowings();
    this.scores[node] = addScores(this.score(node), amount);
    if (this.trails) this.trails[node] = addToTrail(this.trails[node], amount, cause);
  }

  /** Adds a score that has parts of its own; `cause` stands for it where its parts can't be told. */
  addTraced(node: number, amount: number, parts: ScoreTrail | undefined, cause: ScoreCause): void {
    this.forgetFollowings();
    this.scores[node] = addScores(this.score(node), amount);
    if (this.trails) this.trails[node] = addTrail(this.trails[node], amount, parts, cause);
  }

  /** Puts a score without its cause, or a mark that is no score, in the place of one. */
  mark(node: number, mark: number): void {
    this.forgetFollowings();
    this.scores[node] = mark;
  }

  setMode(node: number, mode: ProbeMode): void {
    this.modes[node] = mode;
  }

  /** Creates or replaces an entry. */
  put(node: number, score: number, mode: ProbeMode, cause: ScoreCause): void {
    this.forgetFollowings();
    if (node >= this.modes.length) this.grow(node + 1);
    if (this.modes[node] === ABSENT) this.entries++;
    this.scores[node] = score;
    this.modes[node] = mode;
    if (this.trails) this.trails[node] = addToTrail(undefined, score, cause);
  }

  remove(node: number): void {
    if (!this.has(node)) return;
    this.forgetFollowings();
    this.modes[node] = ABSENT;
    this.entries--;
  }

  /** Tally of a candidate: instances assigned there, later promoted instances there (specification 05 §1). */
  tally(node: number): number {
    return this.tallies?.[node] ?? 0;
  }

  addTally(node: number, amount: number): void {
    this.tallies ??= new Int32Array(this.modes.length);
    this.tallies[node] = (this.tallies[node] ?? 0) + amount;
  }

  clearTallies(): void {
    this.tallies?.fill(0);
  }

  /** Indexes of the candidates, ascending. */
  *indexes(): Generator<number> {
    for (let node = 0; node < this.modes.length; node++) if (this.modes[node] !== ABSENT) yield node;
  }

  copy(): CandidateTable {
    const copy = new CandidateTable();
    copy.scores = this.scores.slice();
    copy.modes = this.modes.slice();
    copy.tallies = this.tallies?.slice();
    copy.trails = this.trails?.slice();
    copy.entries = this.entries;
    return copy;
  }

  /** Takes the scores over from a table with the same candidates. */
  takeScores(from: CandidateTable): void {
    this.forgetFollowings();
    this.scores.set(from.scores);
    this.trails = from.trails?.slice();
  }

  /** Takes everything over from a table that nobody else has. */
  become(other: CandidateTable): void {
    this.forgetFollowings();
    this.scores = other.scores;
    this.modes = other.modes;
    this.tallies = other.tallies;
    this.trails = other.trails;
    this.entries = other.entries;
  }

  private grow(needed: number): void {
    const capacity = Math.max(needed, this.modes.length * 2, 4);
    const scores = new Int32Array(capacity);
    scores.set(this.scores);
    const modes = new Uint8Array(capacity);
    modes.set(this.modes);
    this.scores = scores;
    this.modes = modes;
    if (this.tallies) {
      const tallies = new Int32Array(capacity);
      tallies.set(this.tallies);
      this.tallies = tallies;
    }
  }
}
