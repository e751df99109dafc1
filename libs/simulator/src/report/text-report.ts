import { type Cluster, placementEntries, type SchedulerRun } from '@systole/scheduler';
import { type ExecutionEvent, executionLine } from '../execution/executed-action.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import { type InjectedChange, injectionLine } from '../injections/injected-change.js';
import { scoreLine, utilizationLine } from '../scores/render-scores.js';
import { renderPreamble, renderStatus } from '../status/render-status.js';
import { describeChanges } from '../summary/describe-changes.js';
import { renderSummary } from '../summary/render-summary.js';
import { MOST_SCORE_LINES, type ReportEnd, type Reporter, type ReportOptions, type WriteChunk } from './report-options.js';

/** The report of a simulation as text, as people and the reference's test runner read it (specification 08 §2.2). */
export class TextReport implements Reporter {
  /** Something was printed, so that what follows is set off by an empty line. */
  private begun = false;
  /** How many entries the listing had before planning: notes, which have been told. */
  private notesRead = 0;

  /**
   * @param notice the line about the effective time, if there is one.
   */
  constructor(
    private readonly options: ReportOptions,
    private readonly notice: string | undefined,
    private readonly write: WriteChunk,
  ) {}

  current(cluster: Cluster): void {
    if (this.options.quiet) return;
    this.printNotice(cluster);
    const preamble = renderPreamble(cluster);
    if (preamble !== '') this.print(`${preamble}\n`);
    this.print(renderStatus(cluster, 'current', this.options));
  }

  modified(changes: readonly InjectedChange[]): void {
    this.print(this.options.quiet ? '' : '\nPerforming Requested Modifications:\n');
    for (const change of changes) {
      if (change.kind === 'error') this.error(change.text);
      else this.item(injectionLine(change));
    }
  }

  reread(cluster: Cluster): void {
    if (!this.options.quiet) this.printNotice(cluster);
  }

  scored(run: SchedulerRun): void {
    const { scores, utilization, quiet } = this.options;
    if (!scores && !utilization) return;
    // What is asked for with -sQ is read by programs: lines only.
    const title = scores && quiet ? '' : `${placementTitle(this.options)}:\n`;
    const bullet = title === '' ? '' : '  * ';
    const entries = placementEntries(run.cluster, MOST_SCORE_LINES).slice(this.notesRead);
    this.print(`${this.begun ? '\n' : ''}${title}`);
    // Line by line: all of them may be longer than a string can be.
    for (const entry of entries) {
      if (!('note' in entry)) this.print(`${bullet}${'score' in entry ? scoreLine(entry) : utilizationLine(entry)}\n`);
      else if (!quiet) this.print(`${entry.note}\n`);
    }
  }

  planned(run: SchedulerRun): void {
    if (!this.options.quiet) this.print(`\n${renderSummary(describeChanges(run))}`);
  }

  executing(): void {
    if (this.begun) this.print('\n');
    if (!this.options.quiet) this.print('Executing Cluster Transition:\n');
  }

  executed(event: ExecutionEvent): void {
    if (event.kind === 'error') this.error(event.text);
    else if (event.kind === 'pretended-failure') {
      if (!this.options.quiet) this.print(`Pretending action ${event.actionId} failed with rc=${event.rc}\n`);
    } else this.item(executionLine(event) ?? '');
  }

  revised(cluster: Cluster, end: ExecutionEnd): void {
    if (end === 'terminated') {
      this.error('Transition failed: terminated');
      this.error('An invalid transition was produced');
    }
    if (this.options.quiet) return;
    this.printNotice(cluster);
    this.print(`\n${renderStatus(cluster, 'revised', this.options)}`);
  }

  finish({ errors }: ReportEnd): void {
    for (const error of errors) this.error(error);
  }

  /** What precedes each status: the effective time, and what was noticed while reading. */
  private printNotice({ scores }: Cluster): void {
    if (this.notice !== undefined) this.print(`${this.notice}\n`);
    for (const record of scores) if ('note' in record) this.print(`${record.note}\n`);
    this.notesRead = scores.length;
  }

  private item(text: string): void {
    if (!this.options.quiet) this.print(`  * ${text}\n`);
  }

  private print(text: string): void {
    this.begun = true;
    if (text !== '') this.write({ stream: 'stdout', text });
  }

  private error(text: string): void {
    this.write({ stream: 'stderr', text: `${text}\n` });
  }
}

function placementTitle({ scores, utilization }: ReportOptions): string {
  if (scores && utilization) return 'Assignment Scores and Utilization Information';
  return scores ? 'Assignment Scores' : 'Utilization Information';
}
