import {
  type Cluster,
  placementEntries,
  type ScoreEntry,
  scoreEntries,
  type SchedulerRun,
  type TransitionGraph,
  type UtilizationEntry,
} from '@systole/scheduler';
import type { ExecutionEvent } from '../execution/executed-action.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import type { InjectedChange } from '../injections/injected-change.js';
import { describeChanges, type DescribedTransition } from '../summary/describe-changes.js';
import { jsonBlocks } from './json-blocks.js';
import { type JsonStatus, jsonStatus } from './json-status.js';
import { MOST_SCORE_LINES, type ReportEnd, type Reporter, type ReportOptions, type WriteChunk } from './report-options.js';

/** What the JSON report holds: the names and shapes of the API. */
interface JsonReportContent {
  /** Epoch seconds. */
  now: number;
  current?: JsonStatus;
  modifications?: readonly InjectedChange[];
  scores?: readonly ScoreEntry[];
  utilization?: readonly UtilizationEntry[];
  transition?: DescribedTransition;
  graph?: TransitionGraph;
  executed?: ExecutionEvent[];
  end?: ExecutionEnd;
  revised?: JsonStatus;
}

/** The report of a simulation as one JSON object, written when it is finished. */
export class JsonReport implements Reporter {
  private readonly content: JsonReportContent;

  /**
   * @param now effective time in epoch seconds.
   */
  constructor(
    private readonly options: ReportOptions,
    private readonly now: number,
    private readonly write: WriteChunk,
  ) {
    this.content = { now };
  }

  current(cluster: Cluster): void {
    this.content.current = jsonStatus(cluster, this.now, this.options);
  }

  modified(changes: readonly InjectedChange[]): void {
    this.content.modifications = changes;
  }

  scored(run: SchedulerRun): void {
    if (this.options.scores) this.content.scores = scoreEntries(run.cluster, MOST_SCORE_LINES);
    if (this.options.utilization)
      this.content.utilization = placementEntries(run.cluster, MOST_SCORE_LINES).filter((entry) => 'amounts' in entry);
  }

  planned(run: SchedulerRun): void {
    this.content.transition = describeChanges(run);
    this.content.graph = run.graph;
  }

  executing(): void {
    this.content.executed = [];
  }

  executed(event: ExecutionEvent): void {
    this.content.executed?.push(event);
  }

  revised(cluster: Cluster, end: ExecutionEnd): void {
    this.content.revised = jsonStatus(cluster, this.now, this.options);
    this.content.end = end;
  }

  finish({ exitCode, message, errors }: ReportEnd): void {
    const status = { code: exitCode, message, ...(errors.length === 0 ? {} : { errors }) };
    for (const text of jsonBlocks({ ...this.content, status })) this.write({ stream: 'stdout', text });
    this.write({ stream: 'stdout', text: '\n' });
  }
}
