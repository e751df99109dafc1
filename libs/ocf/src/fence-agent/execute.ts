import { notFound, outcomeOf } from '../outcome/from-process.js';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { OCF } from '../outcome/return-codes.js';
import { runProcess } from '../process/run-process.js';
import { baseEnvironment } from '../resource-agent/environment.js';
import { processLimits, type AgentHost, type ExecutionControl } from '../resource-agent/host.js';
import { findFenceAgent } from '../resource-agent/lookup.js';
import { MetadataError, parseMetadata, type AgentMetadata } from '../resource-agent/metadata.js';
import type { AgentOperation } from '../resource-agent/resource.js';
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
}

const METADATA_TIMEOUT_MS = 30_000;
const METADATA_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Runs a fence agent against a target. A device that can't reboot is told to switch the target off and then on, as one action with one timeout;
 * the target counts as fenced once it is off, so a failing `on` does not fail the fencing. Never rejects.
 */
export async function fence(request: FenceRequest, host: AgentHost, control: ExecutionControl = {}): Promise<OperationOutcome> {
  const found = await findFenceAgent(request.agent, host.directories);
  if (found.kind !== 'stonith') return notFound(found);
  const parameters = withTarget(request.parameters, request.target);
  const action = request.parameters['action'] ?? request.action;
  if (action !== 'reboot' || (await supportsAction(found.path, 'reboot', host))) {
    return runFenceAgent(found.path, action, parameters, request.timeoutMs, host, control);
  }
  const off = await runFenceAgent(found.path, 'off', parameters, request.timeoutMs, host, control);
  const remaining = request.timeoutMs - off.execMs;
  if (off.status !== 'done' || off.rc !== OCF.SUCCESS || remaining <= 0) return off;
  const on = await runFenceAgent(found.path, 'on', parameters, remaining, host, control);
  return { ...off, execMs: off.execMs + on.execMs, output: [off.output, on.output].filter((text) => text !== '').join('\n') };
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
      const action = configured ?? ((await supportsAction(path, 'monitor', host)) ? 'monitor' : 'status');
      return runFenceAgent(path, action, operation.parameters, operation.timeoutMs, host, control);
    }
    default: {
      const exitReason = `fence devices have no ${operation.operation}`;
      return { status: 'done', rc: OCF.ERR_UNIMPLEMENTED, exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
    }
  }
}

/**
 * Asks a fence agent for its meta-data.
 * @throws {MetadataError}
 */
export async function readFenceMetadata(path: string, host: AgentHost, control: ExecutionControl = {}): Promise<AgentMetadata> {
  const result = await runProcess({
    ...processLimits(METADATA_TIMEOUT_MS, host, control),
    file: path,
    args: [],
    env: baseEnvironment(host.environment),
    stdin: fenceInput('metadata', {}),
    maxOutputBytes: METADATA_MAX_BYTES,
  });
  if (result.end.kind !== 'exited' || result.end.code !== 0) {
    throw new MetadataError(`${path} metadata failed (${JSON.stringify(result.end)}): ${result.stderr.slice(-500)}`);
  }
  return parseMetadata(result.stdout);
}

/** Meta-data does not change while the agent program runs, and fencing must not wait for it twice. */
const known = new WeakMap<AgentHost, Map<string, Promise<AgentMetadata | undefined>>>();

/** An agent whose meta-data can't be read is taken to support everything: its own answer then decides. */
async function supportsAction(path: string, action: string, host: AgentHost): Promise<boolean> {
  const ofHost = known.get(host) ?? new Map<string, Promise<AgentMetadata | undefined>>();
  known.set(host, ofHost);
  const metadata = ofHost.get(path) ?? readFenceMetadata(path, host).catch(() => undefined);
  ofHost.set(path, metadata);
  const actions = (await metadata)?.actions ?? [];
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
  let stdin: string;
  try {
    stdin = fenceInput(action, parameters);
  } catch (error) {
    if (!(error instanceof FenceOptionError)) throw error;
    return { status: 'error', rc: OCF.ERR_CONFIGURED, exitReason: error.message, output: '', startedAtMs: Date.now(), execMs: 0 };
  }
  const result = await runProcess({
    ...processLimits(timeoutMs, host, control),
    file: path,
    args: [],
    env: baseEnvironment(host.environment),
    stdin,
  });
  const words = lastLine(result.stderr);
  const failed = result.end.kind === 'exited' && result.end.code !== 0;
  return outcomeOf(result, timeoutMs, (code) => (code === 0 ? OCF.SUCCESS : OCF.ERR_GENERIC), failed ? words : undefined);
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').pop()?.trim() || undefined;
}
