import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { processStat } from '../process/process-group.js';
import { inheritableEnvironment } from '../resource-agent/environment.js';
import type { AgentHost } from '../resource-agent/host.js';
import type { AgentDirectories } from '../resource-agent/lookup.js';

/** In whose environment a trial recognises what it has started. */
const MARK = 'SYSTOLE_TRIAL_ID';
/** In which Linux counts the start of a process for its readers (USER_HZ), on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** A process that an agent has left. */
export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
  /** Since it was started. */
  readonly ageMs: number;
}

/** Programs of a cluster that agents call, and what they print here, where there is none. */
const TOOLS: Readonly<Record<string, string>> = {
  crm_node: `case $1 in -i*) echo 1;; -p*|-l*) echo "1 ${hostname()} member";; *) echo "${hostname()}";; esac`,
  crm_master: ':',
  crm_attribute: ':',
  attrd_updater: ':',
  crm_resource: ':',
  crm_failcount: ':',
  crm_standby: ':',
  crm_ticket: ':',
  crm_mon: ':',
  cibadmin: 'echo "<cib/>"',
};

/** What agents get in a cluster, too: what they find or miss below it, directories of packages for example, is the machine's. */
const VAR_RUN = '/var/run';

/** What an agent that is tried finds around it: a directory of its own for state files, and stand-ins of the tools of a cluster. */
export class TrialSurroundings {
  private readonly directory = mkdtempSync(join(tmpdir(), 'systole-trial-'));
  private readonly id = randomUUID();
  readonly resourceTmp = join(this.directory, 'rsctmp');

  constructor(private readonly directories: AgentDirectories) {
    mkdirSync(this.resourceTmp, { mode: 0o755 });
    const tools = join(this.directory, 'bin');
    mkdirSync(tools);
    for (const [name, script] of Object.entries(TOOLS)) writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  get host(): AgentHost {
    return {
      directories: this.directories,
      environment: {
        inherited: inheritableEnvironment(process.env),
        toolDirectory: join(this.directory, 'bin'),
        resourceTmp: this.resourceTmp,
        varRun: VAR_RUN,
        extra: { [MARK]: this.id },
      },
    };
  }

  /** Processes that the agent has left: they carry the mark, whatever session they are in. */
  processes(): readonly LeftProcess[] {
    const uptime = Number(read('/proc/uptime').split(' ')[0]);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .flatMap((name) => {
        const environment = read(`/proc/${name}/environ`).split('\0');
        if (!environment.includes(`${MARK}=${this.id}`)) return [];
        const stat = processStat(Number(name));
        if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return [];
        const ageMs = Math.round((uptime - stat.startTicks / TICKS_PER_SECOND) * 1_000);
        return [{ pid: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(), ageMs }];
      });
  }

  /** Ends all of them as a crash does. @returns which they were */
  killAll(): readonly number[] {
    const found = this.processes().map(({ pid }) => pid);
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It was gone by then.
      }
    }
    return found;
  }

  /** Files in the agent's directory. */
  files(): readonly string[] {
    return readdirSync(this.resourceTmp, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(this.directory, join(entry.parentPath, entry.name)));
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
