/** How systemd is reached on this machine. */
export interface SystemdAccess {
  /** Path of `systemctl`. */
  readonly systemctl: string;
  /** Path of `journalctl`; without one, reasons have systemd's words only. */
  readonly journalctl?: string;
  /** Where units and their drop-ins last until the machine goes down, normally `/run/systemd/system`. */
  readonly runtimeUnits: string;
  /** The unit that the node agent itself is, which what it runs must outlive when the machine goes down. */
  readonly agentUnit: string;
}

export const SYSTEMD_RUNTIME_UNITS = '/run/systemd/system';
export const AGENT_UNIT = 'systole-agent.service';
