import { EXIT_REASON_PREFIX } from './exit-reason.js';
import type { AgentOperation } from './resource.js';

/** Directories and variables of the node that every agent sees. */
export interface NodeEnvironment {
  /** Inherited variables, already freed of secrets (see {@link inheritableEnvironment}). */
  readonly inherited: Readonly<Record<string, string>>;
  /** Directories put first in PATH, and as HA_SBIN_DIR (the last one) where agents look for cluster tools. */
  readonly toolDirectory?: string;
  /** HA_RSCTMP: state files of agents; must be emptied by a reboot. */
  readonly resourceTmp: string;
  /** HA_VARRUN: pid files and sockets of agents. */
  readonly varRun: string;
  /** More variables, e.g. the address of the agent's socket. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** What of them every program sees, a resource agent or not. */
export type ProgramEnvironment = Pick<NodeEnvironment, 'inherited' | 'toolDirectory' | 'extra'>;

/** Version of the CIB's feature set that agents are told when the operation carries none; they choose tools by it. */
const FEATURE_SET = '3.19.0';
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** What must never reach an agent's environment: our own secrets and the settings of our own runtime. */
const PRIVATE = /^(SYSTOLE_|NODE_|npm_|VITEST|OCF_|HA_)/;
/** What systemd tells the node agent of its own unit (systemd.exec(5)): a service that took it for its own would answer in the agent's name. */
const OF_OWN_UNIT =
  /^(NOTIFY_SOCKET|LISTEN_(FDS|PID|FDNAMES)|WATCHDOG_(USEC|PID)|MAINPID|MANAGERPID|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_\w+|FDSTORE|MEMORY_PRESSURE_\w+|(CREDENTIALS|RUNTIME|STATE|CACHE|LOGS|CONFIGURATION)_DIRECTORY)$/;

/** The variables of this process that agents may inherit. */
export function inheritableEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !PRIVATE.test(entry[0]) && !OF_OWN_UNIT.test(entry[0]),
    ),
  );
}

/** The environment that every agent gets, whatever its standard. */
export function baseEnvironment(node: ProgramEnvironment): Record<string, string> {
  const path = node.inherited['PATH'] ?? DEFAULT_PATH;
  return {
    ...node.inherited,
    PATH: node.toolDirectory === undefined ? path : `${node.toolDirectory}:${path}`,
    // Some agents run parts of themselves with "$SHELL -c"; under systemd it is not set.
    SHELL: node.inherited['SHELL'] ?? '/bin/bash',
    LC_ALL: 'C',
    ...node.extra,
  };
}

/**
 * The environment of an OCF resource agent: OCF Resource Agent API 1.1 (OCF_ROOT, OCF_RA_VERSION_*, OCF_RESOURCE_*, OCF_RESKEY_*),
 * Pacemaker's meta variables (OCF_RESKEY_CRM_meta_*) and the HA_* directories that the resource-agents project's shell functions take.
 * @param ocfRoot OCF_ROOT, from which agents source their shell functions
 */
export function ocfEnvironment(operation: AgentOperation, ocfRoot: string, node: NodeEnvironment): Record<string, string> {
  const { resource } = operation;
  const { OCF_CHECK_LEVEL: checkLevel, ...parameters } = operation.parameters;
  const env: Record<string, string> = {
    ...baseEnvironment(node),
    OCF_ROOT: ocfRoot,
    OCF_RA_VERSION_MAJOR: '1',
    OCF_RA_VERSION_MINOR: '1',
    OCF_RESOURCE_INSTANCE: resource.id,
    OCF_RESOURCE_TYPE: resource.type,
    OCF_EXIT_REASON_PREFIX: EXIT_REASON_PREFIX,
    OCF_RESKEY_crm_feature_set: FEATURE_SET,
    HA_RSCTMP: node.resourceTmp,
    HA_VARRUN: node.varRun,
    HA_debug: '0',
    HA_logfacility: 'none',
  };
  if (resource.provider !== undefined) env['OCF_RESOURCE_PROVIDER'] = resource.provider;
  if (node.toolDirectory !== undefined) env['HA_SBIN_DIR'] = node.toolDirectory;
  for (const [name, value] of Object.entries(parameters)) env[`OCF_RESKEY_${name}`] = value;
  for (const [name, value] of Object.entries(operation.meta)) env[metaVariable(name)] = value;
  env['OCF_RESKEY_CRM_meta_name'] ??= operation.operation;
  env['OCF_RESKEY_CRM_meta_interval'] ??= String(operation.intervalMs);
  env['OCF_RESKEY_CRM_meta_timeout'] ??= String(operation.timeoutMs);
  if (checkLevel !== undefined) env['OCF_CHECK_LEVEL'] = checkLevel;
  return env;
}

/** `CRM_meta_on-node` -> `OCF_RESKEY_CRM_meta_on_node`; other names (`crm_feature_set`) keep their spelling. */
function metaVariable(name: string): string {
  return `OCF_RESKEY_${name.startsWith('CRM_meta_') ? name.replaceAll('-', '_') : name}`;
}
