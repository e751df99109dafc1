import { describe, expect, it } from 'vitest';
import { DoorJudgement } from './door-judgement.js';

const LATE_MS = 1_667;
const EVERY_MS = 500;

/** A door at which somebody knocks twice a second, as long as none who knocked waits. */
class Door {
  readonly judgement = new DoorJudgement(() => LATE_MS);
  now = 1_000_000;
  closedLooks = 0;
  looks = 0;
  private lookedAt = this.now;
  private since: number | undefined;

  /** Each one is let in after `waitMs`, or never, and then given up after 10 s. */
  pass(ms: number, waitMs: number | undefined, isMade = true): this {
    for (const end = this.now + ms; this.now < end;) this.look(EVERY_MS, waitMs, isMade);
    return this;
  }

  /** Each turn of the thread takes so long, and whoever waits is let in as it ends. */
  turns(times: number, turnMs: number): this {
    for (let turn = 0; turn < times; turn++) this.look(turnMs, 1, true);
    return this;
  }

  private look(afterMs: number, waitMs: number | undefined, isMade: boolean): void {
    const at = this.now + afterMs;
    const { since } = this;
    if (since !== undefined && waitMs !== undefined && since + waitMs < at) {
      this.judgement.letIn(since, since + waitMs);
      this.since = undefined;
    }
    this.now = at;
    this.judgement.look(
      at,
      this.lookedAt,
      at - this.lookedAt - EVERY_MS,
      this.since === undefined ? undefined : { since: this.since, isMade },
    );
    this.lookedAt = at;
    this.looks += 1;
    if (this.judgement.isClosed) this.closedLooks += 1;
    if (this.since !== undefined && at - this.since >= 10_000) this.since = undefined;
    this.since ??= at;
  }
}

describe('what is told from knocks at the own door', () => {
  it('is nothing where they are let in in time', () => {
    const { judgement, closedLooks } = new Door().pass(60_000, 1_500);
    expect([judgement.isClosed, closedLooks, judgement.lastingAt]).toEqual([false, 0, Number.NEGATIVE_INFINITY]);
  });

  it('is that it is closed while they are not even made, as the queue is full, until one is let in in time', () => {
    const door = new Door().pass(5_000, 5).pass(4_000, undefined, false);
    expect(door.judgement.isClosed).toBe(true);
    door.closedLooks = door.looks = 0;
    door.pass(120_000, undefined, false);
    expect(door.closedLooks).toBe(door.looks);
    expect(door.judgement.lastingAt).toBe(door.now);
    expect(door.judgement.waitedMs).toBeGreaterThan(9_000);
    door.pass(10_000, 5);
    expect([door.judgement.isClosed, door.judgement.waitedMs]).toEqual([false, 5]);
  });

  it('is that it stays closed from one who was let in late to the next who can not even begin', () => {
    const door = new Door().pass(5_000, 5).pass(5_000, 3_000);
    door.closedLooks = door.looks = 0;
    door.pass(40_000, undefined, false);
    expect(door.closedLooks).toBe(door.looks);
  });

  it('is nothing of those that are not made where nobody was let in lately, nor of any before one was', () => {
    const { judgement, closedLooks } = new Door().pass(60_000, undefined, false).pass(60_000, undefined, true);
    expect([judgement.isClosed, closedLooks, judgement.waitedMs, judgement.isTelling]).toEqual([false, 0, 0, false]);
  });

  it('is that it is closed all the time where each waits for a little longer than agents do', () => {
    const door = new Door().pass(5_000, 5).pass(10_000, 2_000);
    door.closedLooks = door.looks = 0;
    door.pass(40_000, 2_000);
    expect(door.closedLooks).toBe(door.looks);
    expect(door.now - door.judgement.lastingAt).toBeLessThan(EVERY_MS);
  });

  it('is that it lasts where one long turn follows upon another', () => {
    const door = new Door().pass(5_000, 5).turns(2, 2_400);
    expect(door.judgement.lastingAt).toBe(door.now);
    door.pass(10_000, 5);
    expect(door.judgement.isClosed).toBe(false);
    const over = door.judgement.lastingAt;
    // Longer ago: a pause of its own.
    expect(door.turns(1, 2_400).judgement.lastingAt).toBe(over);
  });

  it('is that a single pause was one', () => {
    const door = new Door().pass(5_000, 5).turns(1, 4_000);
    expect([door.judgement.isClosed, door.judgement.lastingAt]).toEqual([true, Number.NEGATIVE_INFINITY]);
    door.pass(5_000, 5);
    expect([door.judgement.isClosed, door.judgement.lastingAt]).toEqual([false, Number.NEGATIVE_INFINITY]);
  });
});
