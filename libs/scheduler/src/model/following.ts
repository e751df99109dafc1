import type { ScoreShifts } from './score-shifts.js';

/**
 * What a colocation's dependent and all that follow it in turn (or primary, and all that it follows) add to the scores of whom they want to be with, remembered as long as
 * none of the scores that it is made of changes.
 */
export class Following {
  /** Made of this one, among others. */
  private readonly users: Following[] = [];
  private current = true;

  /** Undefined when it can't be told once and for all. */
  shifts: ScoreShifts | undefined;

  get valid(): boolean {
    return this.current;
  }

  /** Another one is made of this one, too. */
  addUser(user: Following): void {
    this.users.push(user);
  }

  /** A score changed. */
  forget(): void {
    // Not recursive: chains may be long.
    const pending: Following[] = [this];
    for (let at = pending.pop(); at; at = pending.pop()) {
      if (!at.current) continue;
      at.current = false;
      at.shifts = undefined;
      for (const user of at.users) pending.push(user);
      at.users.length = 0;
    }
  }
}
