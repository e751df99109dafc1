import { inheritableEnvironment, SYSTEM_AGENT_DIRECTORIES, type AgentHost } from '@systole/ocf';
import type { AgentConfiguration } from '../configuration.js';
import type { RunDirectory } from './run-directory.js';
import { systemdHere } from './systemd-here.js';

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
