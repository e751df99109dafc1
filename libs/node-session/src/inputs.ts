import type { JoinAnswer, OperationStatus, ReadPollAnswer, ResultsAnswer } from '@systole/protocol';
import type { Digests } from './effects.js';
import type { ActionProcess } from './journal/record.js';

/** How a program ended. */
export interface Outcome {
  readonly status: OperationStatus;
  readonly rc: number;
  readonly exitReason?: string;
  readonly output: string;
  /** Epoch ms, for people and the history. */
  readonly startedAtMs: number;
  readonly execMs: number;
  /** With what the agent's meta-data add, in the place of the action's; absent: none were asked for, or these could not be read in time. */
  readonly digests?: Digests;
}

export type Answer =
  | { readonly kind: 'join'; readonly join: JoinAnswer }
  | { readonly kind: 'poll'; readonly poll: ReadPollAnswer }
  | ({ readonly kind: 'results' } & ResultsAnswer)
  /** To everything whose answer says nothing. */
  | { readonly kind: 'done' };

/**
 * What happened. `now` is ms on a clock that never goes back and goes on while the machine is suspended; `wallMs` is epoch ms by the time of day, for others only: nothing is decided by it.
 * Inputs that come late, twice, or for what is no longer awaited do no harm. `loadPercent` is what waits for the machine's processors, in percent of what they take at a time; absent: as it was.
 */
export type NodeInput = { readonly now: number; readonly wallMs: number; readonly loadPercent?: number } & (
  | { readonly type: 'tick' }
  /** What an earlier agent process left running was ended. */
  | { readonly type: 'leftover-ended'; readonly actionId: string }
  /** A `write` is on disk. */
  | { readonly type: 'written'; readonly write: number }
  /** It is not, and nothing of it will be found after a crash. */
  | { readonly type: 'write-failed'; readonly write: number; readonly problem: string }
  | { readonly type: 'answered'; readonly request: number; readonly answer: Answer }
  /** The server says that repeating it is useless. `problemType` is the `type` of the problem document, `places` are the JSON pointers of its errors. */
  | {
      readonly type: 'refused';
      readonly request: number;
      readonly status: number;
      readonly problemType: string;
      readonly detail: string;
      readonly places?: readonly string[];
    }
  /** No answer in time, none that can be read, or one that says to try again (5xx, 429, 408), and after how many ms. */
  | {
      readonly type: 'unanswered';
      readonly request: number;
      readonly status?: number;
      readonly retryAfterMs?: number;
      readonly detail: string;
    }
  /** The watchdog was armed, by what its driver said of its time-out then (ms; undefined: nobody knows); or it can't be fed, and may be disarmed. */
  | { readonly type: 'watchdog'; readonly is: 'armed'; readonly timeoutMs: number | undefined }
  | { readonly type: 'watchdog'; readonly is: 'lost'; readonly problem: string }
  | { readonly type: 'started'; readonly run: number; readonly process: ActionProcess }
  | { readonly type: 'ended'; readonly run: number; readonly outcome: Outcome }
  /** The agent shall leave the cluster and end. */
  | { readonly type: 'stop' }
);
