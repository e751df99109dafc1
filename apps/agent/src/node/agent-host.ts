import { existsSync } from 'node:fs';
import {
  AGENT_UNIT,
  inheritableEnvironment,
  SYSTEM_AGENT_DIRECTORIES,
  SYSTEMD_RUNTIME_UNITS,
  type AgentHost,
  type SystemdAccess,
} from '@systole/ocf';
import type { AgentConfiguration } from '../configuration.js';
import type { RunDirectory } from './run-directory.js';

/** Where resource and fence agents are found on this node, and what they see of it. */
export function agentHost(configuration: AgentConfiguration, runDirectory: RunDirectory): AgentHost {
  const { ocfRoots, fenceDirs, killGraceMs, pidFile } = configuration;
  const systemd = systemdHere();
  return {
    directories: {
      ...SYSTEM_AGENT_DIRECTORIES,
      ocfRoots: [...SYSTEM_AGENT_DIRECTORIES.ocfRoots, ...ocfRoots],
      fence: [...fenceDirs, ...SYSTEM_AGENT_DIRECTORIES.fence],
      ...(systemd === undefined ? {} : { systemd }),
    },
    environment: {
      inherited: inheritableEnvironment(process.env),
      toolDirectory: runDirectory.tools.directory,
      resourceTmp: runDirectory.resourceTmp,
      varRun: runDirectory.varRun,
      extra: {
        SYSTOLE_AGENT_SOCKET: runDirectory.tools.socket,
        // By this mark a demonstration's fence agent finds what a node has started, wherever it has gone.
        ...(pidFile === undefined ? {} : { SYSTOLE_PID_FILE: pidFile }),
      },
    },
    killGraceMs,
  };
}

/** systemd, if it manages this machine (sd_booted(3)). */
function systemdHere(): SystemdAccess | undefined {
  if (!existsSync('/run/systemd/system')) return undefined;
  const [systemctl, journalctl] = ['systemctl', 'journalctl'].map((name) =>
    [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path)),
  );
  if (systemctl === undefined) return undefined;
  return { systemctl, ...(journalctl === undefined ? {} : { journalctl }), runtimeUnits: SYSTEMD_RUNTIME_UNITS, agentUnit: AGENT_UNIT };
}
