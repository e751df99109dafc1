import { notFound, outcomeOf } from '../outcome/from-process.js';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { OCF } from '../outcome/return-codes.js';
import { runProcess, type ProcessResult } from '../process/run-process.js';
import { baseEnvironment } from '../resource-agent/environment.js';
import { processLimits, type AgentHost, type ExecutionControl, type ProgramHost } from '../resource-agent/host.js';
import { findFenceAgent } from '../resource-agent/lookup.js';
import { MetadataError, parseMetadata, type AgentMetadata } from '../resource-agent/metadata.js';
import { METADATA_MAX_BYTES, metadataText } from '../resource-agent/metadata-text.js';
import type { AgentOperation } from '../resource-agent/resource.js';
import { inability, type Ask, type HostCheck } from './host-check.js';
import { knownMetadata } from './known-metadata.js';
import { fenceInput, FenceOptionError, withTarget } from './options.js';

/** One attempt to fence a node with one device. */
export interface FenceRequest {
  /** Program name of the fence agent, e.g. `fence_ipmilan`. */
  readonly agent: string;
  /** `off`, `reboot` or `on`; an `action` among the parameters (from `pcmk_<action>_action`) takes its place. */
  readonly action: string;
  /** Name of the node to be fenced. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The plug stands in `port` only because the device names no parameter for it: it goes into `plug` where the agent takes that. */
  readonly argumentByAgent?: boolean;
  /** How it is made sure first that the device can fence the target; absent: it can. Its time is part of `timeoutMs`. */
  readonly check?: HostCheck;
}

const METADATA_TIMEOUT_MS = 30_000;

/**
 * Runs a fence agent against a target. A device that can't reboot is told to switch the target off and then on, as one action with one timeout;
 * the target counts as fenced once it is off, so a failing `on` does not fail the fencing. One that can't fence the target is not told to: status `not-supported`. Never rejects.
 */
export async function fence(request: FenceRequest, host: AgentHost, control: ExecutionControl = {}): Promise<OperationOutcome> {
  const found = await findFenceAgent(request.agent, host.directories);
  if (found.kind !== 'stonith') return notFound(found);
  const { path } = found;
  const begun = performance.now();
  const deadline = begun + request.timeoutMs;
  const leftMs = (): number => Math.round(deadline - performance.now());
  const metadata =
    request.argumentByAgent === true || request.check?.how === 'auto'
      ? await knownMetadata(path, host, () => readFenceMetadata(path, host, control, leftMs()))
      : undefined;
  const parameters = withTarget(
    request.argumentByAgent === true ? withPlug(request.parameters, metadata) : request.parameters,
    request.target,
  );
  const problem = request.check && (await inabilityOf(request.check, { request, path, parameters, metadata, deadline }, host, control));
  if (control.abort?.aborted === true) {
    const exitReason = 'stopped before it had begun';
    return { status: 'cancelled', rc: OCF.ERR_GENERIC, exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
  }
  if (problem !== undefined) {
    const exitReason = `${request.agent} can not fence ${request.target}: ${problem}`;
    return { status: 'not-supported', rc: OCF.ERR_UNIMPLEMENTED, exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
  }
  const action = request.parameters['action'] ?? request.action;
  const isOne = action !== 'reboot' || (await supportsAction(path, 'reboot', host, leftMs()));
  const timeoutMs = leftMs();
  // Whoever is told to fence so late would do it when the server has given it up, and perhaps to a node that is back.
  if (timeoutMs <= 0) {
    const exitReason = `timed out after ${String(request.timeoutMs)} ms, before ${request.agent} was told to fence: it took so long to describe itself`;
    return {
      status: 'timeout',
      rc: OCF.ERR_GENERIC,
      exitReason,
      output: '',
      startedAtMs: Date.now(),
      execMs: Math.round(performance.now() - begun),
    };
  }
  if (isOne) return runFenceAgent(path, action, parameters, timeoutMs, host, control);
  const off = await runFenceAgent(path, 'off', parameters, timeoutMs, host, control);
  const remaining = timeoutMs - off.execMs;
  if (off.status !== 'done' || off.rc !== OCF.SUCCESS || remaining <= 0) return off;
  const on = await runFenceAgent(path, 'on', parameters, remaining, host, control);
  return { ...off, execMs: off.execMs + on.execMs, output: [off.output, on.output].filter((text) => text !== '').join('\n') };
}

interface Checked {
  readonly request: FenceRequest;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly metadata: AgentMetadata | undefined;
  readonly deadline: number;
}

/** What of the parameters says what is to be done, and to whom. */
const OF_TARGET: ReadonlySet<string> = new Set(['action', 'nodename', 'plug', 'port']);

async function inabilityOf(
  check: HostCheck,
  { request: { target }, path, parameters, metadata, deadline }: Checked,
  host: AgentHost,
  control: ExecutionControl,
): Promise<string | undefined> {
  const ofDevice = Object.fromEntries(Object.entries(parameters).filter(([name]) => !OF_TARGET.has(name)));
  const plugs = (parameters['plug'] ?? parameters['port'] ?? '').split(',').filter((one) => one !== '');
  const ask =
    (given: Readonly<Record<string, string>>): Ask =>
    async ({ action, timeoutMs, tries }) => {
      for (let tried = 1; ; tried += 1) {
        const allowed = Math.max(1, Math.round(Math.min(timeoutMs, deadline - performance.now())));
        const { result, problem } = await askFenceAgent(path, action, given, allowed, host, control);
        const end = result?.end;
        const code = end?.kind === 'exited' ? end.code : undefined;
        const isAnswer = code === 0 || (code === 2 && action === check.status.action);
        if (isAnswer || tried >= tries || deadline - performance.now() <= 0 || control.abort?.aborted === true) {
          const words = problem ?? lastLine(result.stderr) ?? JSON.stringify(end);
          return { code, output: result?.stdout ?? '', ...(isAnswer ? {} : { problem: words }) };
        }
      }
    };
  const device = JSON.stringify([path, Object.entries(ofDevice).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return inability(check, { target, plugs }, device, metadata, host, { list: ask(ofDevice), status: ask(parameters) });
}

/** The plug in the parameter that the agent advertises: `plug`, or the older `port`. */
function withPlug(parameters: Readonly<Record<string, string>>, metadata: AgentMetadata | undefined): Readonly<Record<string, string>> {
  const { port, ...rest } = parameters;
  const takesPlug = metadata?.parameters.some(({ name }) => name === 'plug') === true;
  return takesPlug && port !== undefined && rest['plug'] === undefined ? { ...rest, plug: port } : parameters;
}

/** Whether it is the stop of a fence device: a fence device is not running anywhere, so that there is nothing to do, whether its agent is installed or not. */
export function stopsFenceDevice({ resource, operation }: AgentOperation): boolean {
  return resource.class === 'stonith' && operation === 'stop';
}

export function nothingToStop(): OperationOutcome {
  return { status: 'done', rc: OCF.SUCCESS, output: '', startedAtMs: Date.now(), execMs: 0 };
}

/**
 * An operation of a fence device as a resource, but its stop. That it is "started" on a node means only that the node
 * has checked it, so `start` and `monitor` ask the device for its state. Whether it is started is the caller's
 * knowledge, so a probe must be answered by the caller.
 */
export async function runFenceDeviceOperation(
  operation: AgentOperation,
  path: string,
  host: AgentHost,
  control: ExecutionControl,
): Promise<OperationOutcome> {
  switch (operation.operation) {
    case 'start':
    case 'monitor': {
      const configured = operation.parameters['pcmk_monitor_action'];
      const action = configured ?? ((await supportsAction(path, 'monitor', host, operation.timeoutMs)) ? 'monitor' : 'status');
      return triedAgain(operation, (timeoutMs) => runFenceAgent(path, action, operation.parameters, timeoutMs, host, control));
    }
    default: {
      const exitReason = `fence devices have no ${operation.operation}`;
      return { status: 'done', rc: OCF.ERR_UNIMPLEMENTED, exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
    }
  }
}

/** Devices that are busy fail: a monitor is tried `pcmk_monitor_retries` times, as far as there is time. */
async function triedAgain(
  { parameters, timeoutMs }: AgentOperation,
  run: (timeoutMs: number) => Promise<OperationOutcome>,
): Promise<OperationOutcome> {
  const configured = Number.parseInt(parameters['pcmk_monitor_retries'] ?? '', 10);
  const tries = Number.isNaN(configured) ? MONITOR_TRIES : Math.max(1, configured);
  const begin = performance.now();
  for (let tried = 1; ; tried += 1) {
    const leftMs = Math.round(timeoutMs - (performance.now() - begin));
    const outcome = await run(tried === 1 ? timeoutMs : leftMs);
    const failed = outcome.status === 'done' && outcome.rc !== OCF.SUCCESS;
    if (!failed || tried >= tries || timeoutMs - (performance.now() - begin) < LEAST_TRY_MS) return outcome;
  }
}

const MONITOR_TRIES = 2;
/** So much time has to be left for another try. */
const LEAST_TRY_MS = 1_000;

/**
 * Asks a fence agent for its meta-data.
 * @param leftMs within which it has to answer
 * @throws {MetadataError}
 */
export async function readFenceMetadata(
  path: string,
  host: AgentHost,
  control: ExecutionControl = {},
  leftMs = METADATA_TIMEOUT_MS,
): Promise<AgentMetadata> {
  return parseMetadata(await readFenceMetadataText(path, host, control, leftMs));
}

/**
 * What a fence agent prints as its meta-data. It is asked on standard input, as for everything else: some read nothing but that.
 * @param leftMs within which it has to answer
 * @throws {MetadataError} when it fails
 */
export async function readFenceMetadataText(
  path: string,
  host: ProgramHost,
  control: ExecutionControl = {},
  leftMs = METADATA_TIMEOUT_MS,
): Promise<string> {
  const result = await runProcess({
    ...processLimits(Math.max(1, Math.min(leftMs, METADATA_TIMEOUT_MS)), host, control),
    file: path,
    args: [],
    env: baseEnvironment(host.environment),
    stdin: fenceInput('metadata', {}),
    maxOutputBytes: METADATA_MAX_BYTES,
  });
  if (result.end.kind !== 'exited' || result.end.code !== 0) {
    throw new MetadataError(`${path} metadata failed (${JSON.stringify(result.end)}): ${result.stderr.slice(-500)}`);
  }
  return metadataText(path, result);
}

/** An agent whose meta-data can't be read is taken to support everything: its own answer then decides. */
async function supportsAction(path: string, action: string, host: AgentHost, leftMs: number): Promise<boolean> {
  const metadata = await knownMetadata(path, host, () => readFenceMetadata(path, host, {}, leftMs));
  const actions = metadata?.actions ?? [];
  return actions.length === 0 || actions.some((one) => one.name === action);
}

async function runFenceAgent(
  path: string,
  action: string,
  parameters: Readonly<Record<string, string>>,
  timeoutMs: number,
  host: AgentHost,
  control: ExecutionControl,
): Promise<OperationOutcome> {
  const { result, problem } = await askFenceAgent(path, action, parameters, timeoutMs, host, control);
  if (result === undefined) {
    return { status: 'error', rc: OCF.ERR_CONFIGURED, exitReason: problem, output: '', startedAtMs: Date.now(), execMs: 0 };
  }
  const words = lastLine(result.stderr);
  const failed = result.end.kind === 'exited' && result.end.code !== 0;
  return outcomeOf(result, timeoutMs, (code) => (code === 0 ? OCF.SUCCESS : OCF.ERR_GENERIC), failed ? words : undefined);
}

type Asked = { readonly result: ProcessResult; readonly problem?: undefined } | { readonly result?: undefined; readonly problem: string };

/** @returns a problem where the parameters can't be given to an agent */
async function askFenceAgent(
  path: string,
  action: string,
  parameters: Readonly<Record<string, string>>,
  timeoutMs: number,
  host: AgentHost,
  control: ExecutionControl,
): Promise<Asked> {
  let stdin: string;
  try {
    stdin = fenceInput(action, parameters);
  } catch (error) {
    if (!(error instanceof FenceOptionError)) throw error;
    return { problem: error.message };
  }
  const result = await runProcess({
    ...processLimits(timeoutMs, host, control),
    file: path,
    args: [],
    env: baseEnvironment(host.environment),
    stdin,
  });
  return { result };
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').pop()?.trim() || undefined;
}
