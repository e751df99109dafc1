import { existsSync } from 'node:fs';
import { AGENT_UNIT, SYSTEMD_RUNTIME_UNITS, type SystemdAccess } from '@systole/ocf';

/** systemd, if it manages this machine (sd_booted(3)). */
export function systemdHere(): SystemdAccess | undefined {
  if (!existsSync('/run/systemd/system')) return undefined;
  const [systemctl, journalctl] = ['systemctl', 'journalctl'].map((name) =>
    [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path)),
  );
  if (systemctl === undefined) return undefined;
  return { systemctl, ...(journalctl === undefined ? {} : { journalctl }), runtimeUnits: SYSTEMD_RUNTIME_UNITS, agentUnit: AGENT_UNIT };
}
