export { OCF, describeReturnCode, meansActive, type ReturnCodeDescription } from './outcome/return-codes.js';
export type { ExecutionStatus, OperationOutcome } from './outcome/operation-outcome.js';
export { groupAlive, oldestWith, processStat, terminateGroup, type ProcessStat, type TerminateOptions } from './process/process-group.js';
export { runProcess, type ProcessEnd, type ProcessRequest, type ProcessResult, type ProcessUser } from './process/run-process.js';
export { EXIT_REASON_PREFIX } from './resource-agent/exit-reason.js';
export type { AgentOperation, AgentResource } from './resource-agent/resource.js';
export { inheritableEnvironment, ocfEnvironment, type NodeEnvironment } from './resource-agent/environment.js';
export {
  findAgent,
  findFenceAgent,
  listOcfAgents,
  SYSTEM_AGENT_DIRECTORIES,
  type AgentDirectories,
  type FoundAgent,
} from './resource-agent/lookup.js';
export {
  durationMs,
  MetadataError,
  parseMetadata,
  type AgentAction,
  type AgentMetadata,
  type AgentParameter,
} from './resource-agent/metadata.js';
export { METADATA_MAX_BYTES, metadataText, UnreadableMetadata } from './resource-agent/metadata-text.js';
export { installedAgents, LISTED_CLASSES, type InstalledAgentProgram } from './resource-agent/installed.js';
export type { AgentHost, ExecutionControl } from './resource-agent/host.js';
export { AGENT_UNIT, SYSTEMD_RUNTIME_UNITS, type SystemdAccess } from './systemd/access.js';
export { removeAllDropIns } from './systemd/drop-in.js';
export { executeOperation, readAgentMetadata } from './resource-agent/execute.js';
export { type HostCheck } from './fence-agent/host-check.js';
export { fence, readFenceMetadata, readFenceMetadataText, type FenceRequest } from './fence-agent/execute.js';
export { runAlert, type AlertOutcome, type AlertRequest } from './alert-agent/execute.js';
export { optionsNotGiven } from './alert-agent/environment.js';
export { tryAgent, type TrialRequest } from './trial/try-agent.js';
export type { Check, CheckOutcome, Progress, TrialReport } from './trial/trial.js';
