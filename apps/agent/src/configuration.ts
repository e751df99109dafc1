import { availableParallelism } from 'node:os';
import type { TlsFiles } from '@systole/certificates';
import type { AllowList } from './programs/allow-list.js';
import type { SecretSettings } from './secrets/secret-sources.js';
import { LIMITS, type OnLeaseLoss } from '@systole/protocol';

/** The agent's settings, complete and checked. */
export interface AgentConfiguration {
  /** Base URLs of the servers, without `/v1`; at least one. */
  readonly serverUrls: readonly string[];
  readonly token: string;
  /** By which servers are verified, and what the agent shows of itself; absent: by the authorities that Node knows, and nothing. */
  readonly tlsFiles?: TlsFiles;
  /** The token must be for this node, when given. */
  readonly nodeName?: string;
  /** Joins as a remote or guest node only. */
  readonly remote?: true;
  /** Survives reboots: the journal. */
  readonly stateDir: string;
  /** Does not survive reboots: sockets, tools, state files of resource agents. */
  readonly runDir: string;
  readonly pidFile?: string;
  /** Searched before the system's agents. */
  readonly ocfRoots: readonly string[];
  readonly fenceDirs: readonly string[];
  /** What may run here; absent: whatever is installed. */
  readonly allowed?: AllowList;
  /** As whom programs of alerts run; absent: hacluster where it exists, else as the agent. */
  readonly alertUser?: string;
  /** Where secrets may be taken from. */
  readonly secrets: SecretSettings;
  /** Resource operations at once. */
  readonly actionLimit: number;
  /** Decided here instead of by the server. */
  readonly onLeaseLoss?: OnLeaseLoss;
  /** Watchdog device. */
  readonly watchdog?: string;
  /** After how long without being fed it resets the machine, where its driver does not say, ms. */
  readonly watchdogTimeoutMs?: number;
  /** Restarts the machine at once, instead of the kernel's SysRq. */
  readonly panicCommand?: string;
  /** Time that a resource gets to stop when the lease is lost, ms. */
  readonly stopTimeoutMs: number;
  /** Time between TERM and KILL of an operation whose time is up, ms. */
  readonly killGraceMs: number;
  readonly logLevel: string;
}

export const DEFAULT_RUN_DIR = '/run/systole-agent';
export const DEFAULT_STATE_DIR = '/var/lib/systole-agent';
export const DEFAULT_STOP_TIMEOUT_MS = 60_000;
export const DEFAULT_KILL_GRACE_MS = 5_000;

/** Twice the cores, as Pacemaker's `node-action-limit`. */
export function defaultActionLimit(): number {
  return Math.min(2 * availableParallelism(), LIMITS.actionsAtATime);
}
