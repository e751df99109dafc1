import { notFound, outcomeOf } from '../outcome/from-process.js';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { OCF } from '../outcome/return-codes.js';
import { runProcess } from '../process/run-process.js';
import { nothingToStop, runFenceDeviceOperation, stopsFenceDevice } from '../fence-agent/execute.js';
import { baseEnvironment, ocfEnvironment } from './environment.js';
import { ExitReason } from './exit-reason.js';
import { processLimits, type AgentHost, type ExecutionControl } from './host.js';
import { findAgent, type FoundAgent } from './lookup.js';
import { lsbAction, lsbReason, lsbToOcf } from './lsb.js';
import { MetadataError, parseMetadata, type AgentMetadata } from './metadata.js';
import { METADATA_MAX_BYTES, metadataText } from './metadata-text.js';
import type { AgentOperation, AgentResource } from './resource.js';
import { lsbMetadata, unitMetadata } from './service-metadata.js';
import { runUnitOperation } from '../systemd/unit-operation.js';

/**
 * Runs one operation of a resource agent, of any standard, to its end. Never rejects: what can go wrong with an agent is an outcome.
 * The timeout covers the whole operation and kills the agent's process group.
 */
export async function executeOperation(
  operation: AgentOperation,
  host: AgentHost,
  control: ExecutionControl = {},
): Promise<OperationOutcome> {
  if (stopsFenceDevice(operation)) return nothingToStop();
  const agent = await findAgent(operation.resource, host.directories);
  switch (agent.kind) {
    case 'missing':
    case 'unknown':
      return notFound(agent);
    case 'ocf':
      return runOcf(operation, agent, host, control);
    case 'lsb':
      return runLsb(operation, agent.path, host, control);
    case 'systemd':
      return runUnitOperation(operation, agent, host, control);
    case 'stonith':
      return runFenceDeviceOperation(operation, agent.path, host, control);
  }
}

async function runOcf(
  operation: AgentOperation,
  agent: Extract<FoundAgent, { kind: 'ocf' }>,
  host: AgentHost,
  control: ExecutionControl,
): Promise<OperationOutcome> {
  const reason = new ExitReason();
  const result = await runProcess({
    ...processLimits(operation.timeoutMs, host, control),
    file: agent.path,
    args: [operation.operation],
    env: ocfEnvironment(operation, agent.ocfRoot, host.environment),
    onErrorLine: reason.onLine,
  });
  return outcomeOf(result, operation.timeoutMs, (code) => code, reason.last);
}

async function runLsb(operation: AgentOperation, path: string, host: AgentHost, control: ExecutionControl): Promise<OperationOutcome> {
  const result = await runProcess({
    ...processLimits(operation.timeoutMs, host, control),
    file: path,
    args: [lsbAction(operation.operation)],
    env: baseEnvironment(host.environment),
  });
  const reason = result.end.kind === 'exited' ? lsbReason(operation.operation, result.end.code) : undefined;
  return outcomeOf(result, operation.timeoutMs, (code) => lsbToOcf(operation.operation, code), reason);
}

const METADATA_TIMEOUT_MS = 30_000;

/**
 * Asks an installed agent for its meta-data: an OCF agent itself, of an init script its header, of a unit systemd.
 * @throws {MetadataError} when the agent is missing, fails, or prints something else
 */
export async function readAgentMetadata(resource: AgentResource, host: AgentHost, control: ExecutionControl = {}): Promise<AgentMetadata> {
  const agent = await findAgent(resource, host.directories);
  if (agent.kind === 'lsb') return lsbMetadata(agent.path, resource.type);
  if (agent.kind === 'systemd') return unitMetadata(agent, resource.type, host);
  return parseMetadata(await readAgentMetadataText(resource, host, control));
}

/**
 * What an installed OCF agent prints as its meta-data.
 * @throws {MetadataError} when the agent is missing, fails, or is none of OCF
 */
export async function readAgentMetadataText(resource: AgentResource, host: AgentHost, control: ExecutionControl = {}): Promise<string> {
  const agent = await findAgent(resource, host.directories);
  if (agent.kind === 'missing') throw new MetadataError(agent.reason);
  if (agent.kind === 'unknown') throw new MetadataError(agent.message);
  if (agent.kind !== 'ocf') throw new MetadataError(`agents of class ${resource.class} have no OCF meta-data`);
  const operation: AgentOperation = {
    resource,
    operation: 'meta-data',
    intervalMs: 0,
    timeoutMs: METADATA_TIMEOUT_MS,
    parameters: {},
    meta: {},
  };
  const result = await runProcess({
    ...processLimits(METADATA_TIMEOUT_MS, host, control),
    maxOutputBytes: METADATA_MAX_BYTES,
    file: agent.path,
    args: ['meta-data'],
    env: ocfEnvironment(operation, agent.ocfRoot, host.environment),
  });
  if (result.end.kind !== 'exited' || result.end.code !== OCF.SUCCESS) {
    throw new MetadataError(`${agent.path} meta-data failed (${JSON.stringify(result.end)}): ${result.stderr.slice(-500)}`);
  }
  return metadataText(agent.path, result);
}
