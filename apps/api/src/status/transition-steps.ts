import { Injectable } from '@nestjs/common';
import type { ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import type { TransitionEntry } from '@systole/read-models';
import { stepsOf, type StepState } from './steps-of.js';

/** Events that are read for one transition; of one with more it is not said what became of each line. */
const READ = 2_000;
const TYPES = ['OperationRecorded', 'FencingRequested', 'FencingCompleted', 'NodeLeft', 'TransitionPlanned'] as const;

/** What became of each line of a plan that was not carried out in full. */
@Injectable()
export class TransitionSteps {
  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /** Undefined where all was done, or it runs still, or too much happened since. */
  async of(streamId: string, { number, plannedVersion, outcome, summary }: TransitionEntry): Promise<readonly StepState[] | undefined> {
    if (outcome === undefined || outcome.skipped + outcome.failed === 0) return undefined;
    const events = await this.store.query({ streamId, types: TYPES, afterVersion: plannedVersion, limit: READ });
    // The next plan begins when the last one has ended.
    const next = events.findIndex(({ type }) => type === 'TransitionPlanned');
    if (next < 0 && events.length === READ) return undefined;
    return stepsOf(number, summary, next < 0 ? events : events.slice(0, next));
  }
}
