import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A worker in a process of its own, to be killed. */
export interface WorkerUnderTest {
  /** `kill -9`; nothing when it has ended. */
  kill(): Promise<void>;
  /** `kill -STOP`: it does nothing more, but its connections stay. */
  freeze(): void;
}

/** Starts the compiled worker program, of the package in SYSTOLE_SERVER_PROGRAMS where there is one; resolves when it has started. */
export async function spawnWorker(environment: Readonly<Record<string, string>>): Promise<WorkerUnderTest> {
  const packaged = process.env['SYSTOLE_SERVER_PROGRAMS'];
  const program = packaged === undefined ? fileURLToPath(new URL('../../dist/main.js', import.meta.url)) : join(packaged, 'worker.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build\` first`);
  const child = spawn(process.execPath, [program], {
    // Making itself quick is on in `production.e2e`: most tests are over before it helps.
    env: { ...process.env, SYSTOLE_WARM_UP: 'off', ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('the worker has started')) resolve();
    });
    void exited.then(() => {
      reject(new Error('the worker ended before it took jobs'));
    });
  });
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    freeze: () => {
      child.kill('SIGSTOP');
    },
  };
}
