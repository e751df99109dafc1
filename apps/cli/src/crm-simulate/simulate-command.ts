import { parseBoolean, serializeXml } from '@systole/cib';
import type { Cluster } from '@systole/scheduler';
import {
  effectiveTime,
  type Injections,
  InvalidOperationSpecError,
  parseOperationSpec,
  renderDot,
  renderGraph,
  type Reporter,
  runSimulation,
  type SimulatedDocuments,
  type SimulationDepth,
  validationNotice,
  type WriteChunk,
} from '@systole/simulator';
import { asProgramError } from './as-program-error.js';
import { type CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode, exitMessage } from './exit-codes.js';
import { readInput } from './input.js';
import { messageLines } from './messages.js';
import { saveFile } from './output.js';
import { reporterOf } from './reporter.js';
import { sourceOf } from './source.js';

/**
 * Runs one simulation as the command line asks (specification 08 §2.2), and says how it ended.
 *
 * @throws {ProgramError} when there is no such output format.
 * @throws {UsageError} when options contradict each other, or a value can't be meant.
 */
export function simulateCommand(options: CommandLine, environment: NodeJS.ProcessEnv, write: WriteChunk): ExitCode {
  const inPlace = inPlaceFile(options);
  const injections = injectionsOf(options);
  const clock = Math.floor(Date.now() / 1000);
  const localOffsetSeconds = -60 * new Date().getTimezoneOffset();
  // Until the input tells another time.
  let reporter = reporterOf(options, { now: clock, localOffsetSeconds }, write);
  let exitCode: ExitCode = EXIT.ok;
  const errors: string[] = [];
  try {
    const cib = readInput(sourceOf(options, environment));
    const time = effectiveTime(cib.document, { wanted: options.last('set-datetime'), clock, localOffsetSeconds });
    reporter = reporterOf(options, { ...time, localOffsetSeconds }, write);
    const notice = validationNotice(cib.document);
    if (notice !== undefined) write({ stream: 'stderr', text: `${notice}\n` });
    const request = {
      depth: depthOf(options),
      now: time.now,
      clock,
      injections,
      failures: options.all('op-fail'),
      scores: options.has('show-scores'),
      utilization: options.has('show-utilization'),
    };
    const documents = runSimulation(
      cib,
      request,
      observerOf(options, reporter, write, () => (exitCode = EXIT.error)),
    );
    saveDocuments(options, inPlace, documents);
  } catch (error) {
    const problem = asProgramError(error);
    exitCode = problem.exitCode;
    errors.push(problem.message);
  }
  reporter.finish({ exitCode, message: exitMessage(exitCode), errors });
  return exitCode;
}

/** The reporter, with files saved where the reference saves them: after the scores, before the summary. */
function observerOf(options: CommandLine, reporter: Reporter, write: WriteChunk, onTerminated: () => void): Reporter {
  const tell = (cluster: Cluster): void => {
    for (const text of messageLines(cluster, options.all('verbose').length)) write({ stream: 'stderr', text });
  };
  return {
    scored: (run) => {
      reporter.scored(run);
    },
    current: (cluster) => {
      // What planning adds is told with the rest, once.
      if (depthOf(options) === 'status') tell(cluster);
      reporter.current(cluster);
    },
    modified: (changes) => reporter.modified?.(changes),
    reread: (cluster) => reporter.reread?.(cluster),
    planned: (run) => {
      tell(run.cluster);
      reporter.scored(run);
      const graphFile = options.last('save-graph');
      const dotFile = options.last('save-dotfile');
      if (graphFile !== undefined) saveFile(graphFile, renderGraph(run.graph), EXIT.inputOutput);
      if (dotFile !== undefined) {
        const drawing = renderDot(run, { allActions: options.has('all-actions'), actionIds: options.has('verbose') });
        saveFile(dotFile, drawing, EXIT.inputOutput);
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

function saveDocuments(options: CommandLine, inPlace: string | undefined, { input, output }: SimulatedDocuments): void {
  const inputFile = options.last('save-input');
  if (inputFile !== undefined) saveFile(inputFile, serializeXml(input.document));
  for (const file of [options.last('save-output'), inPlace]) if (file !== undefined) saveFile(file, serializeXml(output.document));
}

/** The input file, if the result is to replace it. */
function inPlaceFile(options: CommandLine): string | undefined {
  if (!options.has('in-place')) return undefined;
  const file = options.last('xml-file') ?? '-';
  if (file === '-') throw new UsageError('--in-place needs a file to store the result in: name it with --xml-file');
  return file;
}

function depthOf(options: CommandLine): SimulationDepth {
  if (options.has('simulate') || options.has('in-place') || options.has('op-fail')) return 'execute';
  const planning = ['run', 'show-scores', 'show-utilization', 'save-dotfile', 'save-graph'] as const;
  return planning.some((name) => options.has(name)) ? 'plan' : 'status';
}

/** Options whose value is the name of a node or ticket. */
const NAMED = ['node-up', 'node-down', 'node-fail', 'ticket-grant', 'ticket-revoke', 'ticket-standby', 'ticket-activate'] as const;

/** A truth as documents can hold it: other words for it are put in these. */
function yesOrNo(options: CommandLine, option: 'quorum' | 'watchdog'): string | undefined {
  const text = options.last(option);
  if (text === undefined || /^(?:true|false|0|1)$/.test(text)) return text;
  const value = parseBoolean(text);
  if (value === undefined) throw new UsageError(`--${option} takes true or false, not "${text}"`);
  return String(value);
}

/** A failure that could never be simulated is not passed over in silence. */
function requireOperation(text: string): void {
  try {
    parseOperationSpec(text);
  } catch (error) {
    if (error instanceof InvalidOperationSpecError) throw new UsageError(`${error.message}; write RESOURCE_TASK_INTERVAL@NODE=RC`);
    throw error;
  }
}

/** @throws {UsageError} for a value that can't be meant. */
function injectionsOf(options: CommandLine): Injections {
  const quorum = yesOrNo(options, 'quorum');
  const watchdog = yesOrNo(options, 'watchdog');
  for (const option of NAMED) {
    if (options.all(option).includes('')) throw new UsageError(`--${option} needs a name, not an empty text`);
  }
  for (const text of options.all('op-fail')) requireOperation(text);
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
