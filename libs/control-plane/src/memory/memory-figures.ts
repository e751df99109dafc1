import type { AppendFigures, EndedFencing, PlanTimes, SessionFigures, WorkerFigures } from '../ports/figures.js';

/** Counts in memory, as is told. */
export class MemoryFigures implements WorkerFigures, SessionFigures, AppendFigures {
  readonly actions = { handedOut: 0, takenBack: 0, expected: 0, unexpected: 0, givenUp: 0 };
  readonly plans: PlanTimes[] = [];
  overtakenPlans = 0;
  readonly fencings: EndedFencing[] = [];
  readonly waits: number[] = [];
  readonly transitions = { complete: 0, aborted: 0 };
  readonly results: Parameters<SessionFigures['resultsTaken']>[0][] = [];
  readonly deliveries: Parameters<SessionFigures['delivered']>[0][] = [];
  readonly groups: Parameters<AppendFigures['appended']>[0][] = [];

  handedOut(actions: number): void {
    this.actions.handedOut += actions;
  }

  takenBack(actions: number): void {
    this.actions.takenBack += actions;
  }

  answered(asExpected: boolean): void {
    this.actions[asExpected ? 'expected' : 'unexpected'] += 1;
  }

  gaveUp(actions: number): void {
    this.actions.givenUp += actions;
  }

  planned(times: PlanTimes): void {
    this.plans.push(times);
  }

  overtaken(): void {
    this.overtakenPlans += 1;
  }

  transitionEnded(outcome: keyof MemoryFigures['transitions']): void {
    this.transitions[outcome] += 1;
  }

  fenced(ended: EndedFencing): void {
    this.fencings.push(ended);
  }

  turned(waitedMs: number): void {
    this.waits.push(waitedMs);
  }

  resultsTaken(results: Parameters<SessionFigures['resultsTaken']>[0]): void {
    this.results.push(results);
  }

  delivered(delivery: Parameters<SessionFigures['delivered']>[0]): void {
    this.deliveries.push(delivery);
  }

  appended(group: Parameters<AppendFigures['appended']>[0]): void {
    this.groups.push(group);
  }
}
