import type { XmlElement } from '../xml/element.js';
import type { TreeMessage, TreeStep } from './tree-step.js';
import { treeSteps } from './tree-steps.js';

/** What one message holds at most, in characters; it takes some milliseconds to make. */
const MESSAGE_LENGTH = 131_072;
/** What a step counts beside its text, in characters. */
const STEP_LENGTH = 64;
/** Changes are told up to so many characters however small the tree is; then it is told whole again. */
const LEAST_CHANGES = 65_536;

interface Told {
  readonly tree: XmlElement;
  readonly revision: number;
  /** Characters that told it whole: what it takes in memory grows with them. */
  readonly whole: number;
  /** Characters of the changes since. */
  readonly changes: number;
  /** How often unused ones had been forgotten when it was told last. */
  readonly round: number;
}

/**
 * One end of a way on which trees are told to somebody who keeps those that were told last: whole the first time, then by what has changed. A tree whose
 * changes have come to more than the tree itself is told whole again, so that neither end keeps what long ago was part of it.
 */
export class TreeSender {
  /** By key; those that were told last stand last. */
  private readonly told = new Map<string, Told>();
  private revision = 0;
  private round = 0;

  /** @param limit characters of XML that the other end is to keep in all; the newest tree is always kept */
  constructor(private readonly limit: number) {}

  /** Whether only changes need to be told of that tree. */
  knows(key: string): boolean {
    return this.told.has(key);
  }

  /** Tells a tree whole the next time. */
  forget(key: string): void {
    this.told.delete(key);
  }

  /**
   * What is to be told of a tree now, part by part: the other end has to get all of them, in order. One tree at a time.
   *
   * @throws {XmlError} for a tree that has no XML form
   */
  *messages(key: string, tree: XmlElement): Generator<TreeMessage, void, undefined> {
    const before = this.told.get(key);
    // Until all parts are gone the other end knows nothing that can be relied upon.
    this.told.delete(key);
    const known = before !== undefined && before.changes <= Math.max(before.whole, LEAST_CHANGES) ? before : undefined;
    const revision = ++this.revision;
    let length = 0;
    let begins: Pick<TreeMessage, 'begins'> = {
      begins: known === undefined ? { from: 'nothing' } : { from: 'revision', revision: known.revision },
    };
    let steps: TreeStep[] = [];
    let partLength = 0;
    for (const step of treeSteps(known?.tree, tree)) {
      steps.push(step);
      partLength += STEP_LENGTH + (step.step === 'read' ? step.xml.length : 0);
      if (partLength < MESSAGE_LENGTH) continue;
      yield { key, ...begins, steps, forget: [] };
      begins = {};
      steps = [];
      length += partLength;
      partLength = 0;
    }
    length += partLength;
    const size = known === undefined ? { whole: length, changes: 0 } : { whole: known.whole, changes: known.changes + length };
    this.told.set(key, { tree, revision, round: this.round, ...size });
    yield { key, ...begins, steps, ends: { revision }, forget: this.toForget(key) };
  }

  /**
   * Lets go of those that were not told since the last call, longest ago first, as long as there are more characters than so many in all.
   *
   * @returns what the other end is to be told to forget
   */
  forgetUnused(keptLength: number): readonly string[] {
    const unused = this.forgetOldest(keptLength, (_, { round }) => round === this.round);
    this.round++;
    return unused;
  }

  /** Lets go of those that were told longest ago. */
  private toForget(newest: string): readonly string[] {
    return this.forgetOldest(this.limit, (key) => key === newest);
  }

  private forgetOldest(limit: number, stays: (key: string, told: Told) => boolean): readonly string[] {
    const forgotten: string[] = [];
    let total = 0;
    for (const { whole, changes } of this.told.values()) total += whole + changes;
    for (const [key, told] of this.told) {
      if (total <= limit || stays(key, told)) break;
      this.told.delete(key);
      forgotten.push(key);
      total -= told.whole + told.changes;
    }
    return forgotten;
  }
}
