import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** An api in a process of its own, to be killed or frozen. */
export interface ApiProcess {
  readonly url: string;
  /** `kill -9`; nothing when it has ended. */
  kill(): Promise<void>;
  /** Stands still for so long, ms. */
  freeze(forMs: number): Promise<void>;
}

/** Starts the compiled api program, of the package in SYSTOLE_SERVER_PROGRAMS where there is one; resolves when it listens. @param hear gets what it has written so far */
export async function spawnApi(
  environment: Readonly<Record<string, string>>,
  hear: (text: string) => void = () => undefined,
): Promise<ApiProcess> {
  const packaged = process.env['SYSTOLE_SERVER_PROGRAMS'];
  const program = packaged === undefined ? fileURLToPath(new URL('../../dist/main.js', import.meta.url)) : join(packaged, 'api.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build\` first`);
  const child = spawn(process.execPath, [program], {
    // Making itself quick is on in `production.e2e`: most tests are over before it helps.
    env: { ...process.env, PORT: '0', REDIS_URL: '', SYSTOLE_WARM_UP: 'off', ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      hear(text);
      const listening = /"url":"([^"]+)"[^\n]*the API listens/.exec(text)?.[1];
      if (listening !== undefined) resolve(listening);
    });
    void exited.then(() => {
      reject(new Error('the api ended before it listened'));
    });
  });
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    freeze: async (forMs) => {
      child.kill('SIGSTOP');
      await sleep(forMs);
      child.kill('SIGCONT');
    },
  };
}
