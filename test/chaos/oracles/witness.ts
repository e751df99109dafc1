import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Timeline } from '../timeline.js';
import { LogTail } from './log-tail.js';

/** A resource's process, as it told the log. */
interface Life {
  readonly resource: string;
  readonly node: string;
  readonly pid: number;
  /** By which a process id that is used again is told apart. */
  readonly startTicks: string;
}

/** Sees what resources really do: by what their processes write to the shared log, and by whether those processes live. */
export class Witness {
  private readonly tail: LogTail;
  private lives: readonly Life[] = [];
  private readonly reported = new Set<string>();
  /** Starts that were seen. */
  starts = 0;

  constructor(
    shared: string,
    private readonly timeline: Timeline,
  ) {
    this.tail = new LogTail(join(shared, 'log'));
  }

  /** @returns what is wrong since the last look */
  look(): readonly string[] {
    const findings: string[] = [];
    for (const [at = '', what = '', resource = '', node = '', pid = '', startTicks = ''] of this.tail.next()) {
      this.timeline.note(`witness: ${what} ${resource} on ${node}`, Number(at));
      if (what === 'start') {
        this.starts += 1;
        this.lives = [...this.lives, { resource, node, pid: Number(pid), startTicks }];
      } else if (what.startsWith('twice:')) {
        findings.push(`${resource} was started on ${node} while it was active on ${what.slice('twice:'.length)}`);
      }
    }
    this.lives = this.lives.filter(isAlive);
    for (const resource of new Set(this.lives.map((life) => life.resource))) {
      const lives = this.lives.filter((life) => life.resource === resource);
      const key = lives.map(({ pid }) => pid).join();
      if (lives.length < 2 || this.reported.has(key)) continue;
      this.reported.add(key);
      findings.push(`${resource} is active on ${lives.map(({ node }) => node).join(' and ')}`);
    }
    return findings;
  }

  /** Nodes on which a process of the resource lives. */
  placesOf(resource: string): readonly string[] {
    return this.lives.filter((life) => life.resource === resource && isAlive(life)).map(({ node }) => node);
  }
}

function isAlive({ pid, startTicks }: Life): boolean {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    const words = fields.split(' ');
    // The state, and the 22nd field of all, counted without the two before.
    return words[0] !== 'Z' && words[19] === startTicks;
  } catch {
    return false;
  }
}
