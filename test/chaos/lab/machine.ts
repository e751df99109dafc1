import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './run-command.js';

/** What a machine's link loses, in percent of the packets of each direction: 0 nothing, 100 everything. */
export interface Link {
  readonly inbound: number;
  readonly outbound: number;
}

/** A machine of the lab: a network namespace with an address on the bridge, and the processes that run in it. */
export class Machine {
  constructor(
    readonly name: string,
    readonly address: string,
    readonly namespace: string,
  ) {}

  /** What is put before a command line so that it runs on this machine; it becomes the command, its process id stays. */
  get within(): readonly [string, ...string[]] {
    return ['nsenter', `--net=${this.namespaceFile}`];
  }

  /** Identity of the namespace: the number in `/proc/PID/ns/net`. */
  get identity(): number {
    return statSync(this.namespaceFile).ino;
  }

  /** Process ids of everything that runs here. */
  processes(): number[] {
    const mark = `net:[${this.identity}]`;
    return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) && namespaceOf(entry) === mark ? [Number(entry)] : []));
  }

  /** @param command only to those whose command line begins so; default: to all */
  signal(signal: NodeJS.Signals, command = ''): void {
    for (const pid of this.processes()) {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(command)) continue;
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }

  /** SIGKILL to everything, until nothing is left. */
  async kill(): Promise<void> {
    while (this.processes().length > 0) {
      this.signal('SIGKILL');
      await sleep(20);
    }
  }

  async setLink({ inbound, outbound }: Link): Promise<void> {
    const chain = (hook: string, device: string, loss: number): string => {
      const some = loss < 100 ? `numgen random mod 100 < ${loss}` : '';
      return `chain ${hook} { type filter hook ${hook} priority 0; ${loss > 0 ? `${device} != "lo" ${some} drop` : ''}\n}`;
    };
    const rules = `table inet link {}\ndelete table inet link\ntable inet link {\n${chain('input', 'iifname', inbound)}\n${chain('output', 'oifname', outbound)}\n}\n`;
    const apply = (): Promise<string> => runCommand([...this.within, 'nft', '-f', '-'], rules);
    // The fence device kills whatever it finds in the namespace, at times this, too; not twice in a row.
    await apply().catch(apply);
  }

  private get namespaceFile(): string {
    return `/run/netns/${this.namespace}`;
  }
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}
