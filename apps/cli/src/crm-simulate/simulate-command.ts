import { serializeXml } from '@systole/cib';
import {
  effectiveTime,
  type Injections,
  InvalidTimeError,
  renderDot,
  renderGraph,
  type Reporter,
  runSimulation,
  type SimulatedDocuments,
  type SimulationDepth,
  UnknownNodeError,
  validationNotice,
  type WriteChunk,
} from '@systole/simulator';
import type { CommandLine } from './command-line.js';
import { EXIT, type ExitCode, exitMessage, ProgramError } from './exit-codes.js';
import { readInput } from './input.js';
import { saveFile } from './output.js';
import { reporterOf } from './reporter.js';

/** Runs one simulation as the command line asks (specification 08 §2.2), and says how it ended. */
export function simulateCommand(options: CommandLine, write: WriteChunk): ExitCode {
  const clock = Math.floor(Date.now() / 1000);
  const localOffsetSeconds = -60 * new Date().getTimezoneOffset();
  // Until the input tells another time.
  let reporter = reporterOf(options, { now: clock, localOffsetSeconds }, write);
  let exitCode: ExitCode = EXIT.ok;
  const errors: string[] = [];
  try {
    const cib = readInput(options.last('xml-file'));
    const time = effectiveTime(cib.document, { wanted: options.last('set-datetime'), clock, localOffsetSeconds });
    reporter = reporterOf(options, { ...time, localOffsetSeconds }, write);
    const notice = validationNotice(cib.document);
    if (notice !== undefined) write({ stream: 'stderr', text: `${notice}\n` });
    const request = {
      depth: depthOf(options),
      now: time.now,
      clock,
      injections: injectionsOf(options),
      failures: options.all('op-fail'),
      scores: options.has('show-scores'),
      utilization: options.has('show-utilization'),
    };
    const documents = runSimulation(
      cib,
      request,
      observerOf(options, reporter, () => (exitCode = EXIT.error)),
    );
    saveDocuments(options, documents);
  } catch (error) {
    const problem = asProgramError(error);
    exitCode = problem.exitCode;
    errors.push(problem.message);
  }
  reporter.finish({ exitCode, message: exitMessage(exitCode), errors });
  return exitCode;
}

function asProgramError(error: unknown): ProgramError {
  if (error instanceof ProgramError) return error;
  if (error instanceof InvalidTimeError) return new ProgramError(EXIT.usage, `crm_simulate: --set-datetime: ${error.message}`);
  if (error instanceof UnknownNodeError) return new ProgramError(EXIT.error, `crm_simulate: ${error.message}`);
  throw error;
}

/** The reporter, with files saved where the reference saves them: after the scores, before the summary. */
function observerOf(options: CommandLine, reporter: Reporter, onTerminated: () => void): Reporter {
  return {
    scored: (run) => {
      reporter.scored(run);
    },
    current: (cluster) => {
      reporter.current(cluster);
    },
    modified: (changes) => reporter.modified?.(changes),
    planned: (run) => {
      reporter.scored(run);
      const graphFile = options.last('save-graph');
      const dotFile = options.last('save-dotfile');
      if (graphFile !== undefined) saveFile(graphFile, renderGraph(run.graph));
      if (dotFile !== undefined) {
        saveFile(dotFile, renderDot(run, { allActions: options.has('all-actions'), actionIds: options.has('verbose') }));
      }
      reporter.planned?.(run);
    },
    executing: () => reporter.executing?.(),
    executed: (event) => reporter.executed?.(event),
    revised: (cluster, end) => {
      if (end === 'terminated') onTerminated();
      reporter.revised?.(cluster, end);
    },
    finish: (end) => {
      reporter.finish(end);
    },
  };
}

function saveDocuments(options: CommandLine, { input, output }: SimulatedDocuments): void {
  const inputFile = options.last('save-input');
  if (inputFile !== undefined) saveFile(inputFile, serializeXml(input.document));
  const inPlace = options.has('in-place') ? options.last('xml-file') : undefined;
  for (const file of [options.last('save-output'), inPlace]) if (file !== undefined) saveFile(file, serializeXml(output.document));
}

function depthOf(options: CommandLine): SimulationDepth {
  if (options.has('simulate') || options.has('in-place') || options.has('op-fail')) return 'execute';
  const planning = ['run', 'show-scores', 'show-utilization', 'save-dotfile', 'save-graph'] as const;
  return planning.some((name) => options.has(name)) ? 'plan' : 'status';
}

function injectionsOf(options: CommandLine): Injections {
  const quorum = options.last('quorum');
  const watchdog = options.last('watchdog');
  return {
    ...(quorum === undefined ? {} : { quorum }),
    ...(watchdog === undefined ? {} : { watchdog }),
    nodesUp: options.all('node-up'),
    nodesDown: options.all('node-down'),
    nodesFailed: options.all('node-fail'),
    ticketsGranted: options.all('ticket-grant'),
    ticketsRevoked: options.all('ticket-revoke'),
    ticketsStandby: options.all('ticket-standby'),
    ticketsActivated: options.all('ticket-activate'),
    operations: options.all('op-inject'),
  };
}
