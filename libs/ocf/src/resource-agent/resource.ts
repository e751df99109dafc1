/** Names a resource agent and the instance that it shall act on. */
export interface AgentResource {
  /** The agent's instance name, OCF_RESOURCE_INSTANCE: resource id, with `:N` for instances of globally unique clones. */
  readonly id: string;
  /** Standard: `ocf`, `lsb`, `systemd`, `service`, `stonith`. Compared without regard to case. */
  readonly class: string;
  /** Only for `ocf`. */
  readonly provider?: string;
  /** Agent name. */
  readonly type: string;
}

/** One operation to run. */
export interface AgentOperation {
  readonly resource: AgentResource;
  /** `start`, `stop`, `monitor`, `promote`, `demote`, `notify`, `migrate_to`, `migrate_from`, `reload`, `reload-agent`, `validate-all`. */
  readonly operation: string;
  /** 0 for a probe or a one-time operation. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Instance attributes: names as configured, without prefix. */
  readonly parameters: Readonly<Record<string, string>>;
  /** `CRM_meta_*`, and `crm_feature_set`. */
  readonly meta: Readonly<Record<string, string>>;
}
