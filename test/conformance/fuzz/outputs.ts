import type { Cib } from '@systole/cib';
import {
  effectiveTime,
  renderDot,
  renderGraph,
  type ReportOptions,
  runSimulation,
  type SimulationObserver,
  type SimulationRequest,
  TextReport,
  validationNotice,
  type WriteChunk,
} from '@systole/simulator';
import type { Output } from '../corpus.js';

const plain: ReportOptions = { scores: false, utilization: false, quiet: false };

export interface OutputsRequest extends Pick<SimulationRequest, 'injections' | 'failures'> {
  /** Effective time as the command line gives it; default: the CIB's own, else the clock. */
  readonly time?: string | undefined;
  /** Real time in epoch seconds. */
  readonly clock: number;
  /** Watches the simulation beside the reports that make the outputs. */
  readonly observer?: SimulationObserver;
}

/** The four outputs of a case, and what would go to standard error. */
export type Outputs = Readonly<Record<Output | 'stderr', string>>;

/**
 * Simulates as the reference's own test runner would have it done, with every output (specification 08 §1).
 *
 * @throws {InvalidTimeError} when the time can't be read.
 * @throws {UnknownNodeError} when an injection names a node that nothing knows.
 */
export function computeOutputs(cib: Cib, { time: wanted, clock, injections = {}, failures = [], observer }: OutputsRequest): Outputs {
  const outputs = { summary: '', scores: '', dot: '', exp: '', stderr: '' };
  const time = effectiveTime(cib.document, { wanted, clock });
  const both: WriteChunk = ({ text }) => {
    outputs.summary += text;
  };
  const apart: WriteChunk = ({ stream, text }) => {
    if (stream === 'stdout') outputs.scores += text;
    else outputs.stderr += text;
  };
  const notice = validationNotice(cib.document);
  if (notice !== undefined) for (const write of [both, apart]) write({ stream: 'stderr', text: `${notice}\n` });
  const summary = new TextReport(plain, time.notice, both);
  const scores = new TextReport({ ...plain, scores: true, quiet: true }, time.notice, apart);
  runSimulation(
    cib,
    { depth: 'execute', now: time.now, clock, injections, failures },
    {
      current: (cluster) => {
        summary.current(cluster);
        observer?.current(cluster);
      },
      modified: (changes) => {
        summary.modified(changes);
        observer?.modified?.(changes);
      },
      reread: (cluster) => {
        summary.reread(cluster);
        observer?.reread?.(cluster);
      },
      planned: (run) => {
        scores.scored(run);
        outputs.dot = renderDot(run);
        outputs.exp = renderGraph(run.graph);
        summary.planned(run);
        observer?.planned?.(run);
      },
      executing: () => {
        for (const report of [summary, scores]) report.executing();
        observer?.executing?.();
      },
      executed: (event) => {
        summary.executed(event);
        observer?.executed?.(event);
      },
      revised: (cluster, end) => {
        for (const report of [summary, scores]) report.revised(cluster, end);
        observer?.revised?.(cluster, end);
      },
    },
  );
  return outputs;
}
