import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until, type TestNode } from './agent-process.js';

const DEVICE = fileURLToPath(new URL('watchdog-device.py', import.meta.url));
const SWITCH = fileURLToPath(new URL('../../../../agents/fence/fence_systole_demo', import.meta.url));

/** A watchdog that ends the process tree of a node, as a real one resets its machine. */
export class StandInWatchdog {
  readonly path: string;
  private readonly process: ChildProcess;

  /** @param timeoutS within which it has to be fed */
  constructor(node: TestNode, timeoutS: number) {
    this.path = join(node.directory, 'watchdog');
    const reset = `printf 'action=off\\nplug=n1\\npiddir=%s\\n' '${dirname(node.pidFile)}' | '${SWITCH}'`;
    this.process = spawn('python3', [DEVICE, this.path, String(timeoutS), 'sh', '-c', reset], { stdio: 'ignore' });
  }

  async ready(): Promise<void> {
    await until(() => this.log.includes('ready'), 'the watchdog is there');
  }

  /** What happened to it, in order. */
  get log(): readonly string[] {
    const file = `${this.path}.log`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  remove(): void {
    this.process.kill('SIGKILL');
  }
}
