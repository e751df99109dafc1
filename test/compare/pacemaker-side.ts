import { execFile } from 'node:child_process';
import type { Ended } from './script.js';

/** A cluster on which scripts are run, on its first node. */
export interface Side {
  readonly run: (command: string) => Promise<Ended>;
  readonly stop: () => Promise<void>;
}

/** Runs a program to its end, however it ends. */
export function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 255, out, err });
    });
  });
}

/**
 * A real Pacemaker of three nodes, node1 to node3.
 *
 * @param lab the program that runs one: `start N`, `on NODE CMD…`, `stop`
 * @param more variables of the environment of each command
 */
export async function pacemakerSide(lab: string, cib: string, more: Readonly<Record<string, string>>): Promise<Side> {
  const started = await ended(lab, ['start', '3']);
  if (started.code !== 0) throw new Error(`no lab: ${started.err}`);
  const variables = Object.entries({ LC_ALL: 'C', TZ: 'UTC', ...more }).map(([name, value]) => `${name}=${value}`);
  const run = (command: string): Promise<Ended> => ended(lab, ['on', 'node1', 'env', ...variables, 'sh', '-c', command]);
  const stop = async (): Promise<void> => {
    await ended(lab, ['stop']);
  };
  const loaded = await run(`cibadmin --replace --force --xml-text '${cib.replaceAll("'", "'\\''")}' && crm_resource --wait --timeout 60`);
  if (loaded.code !== 0) {
    await stop();
    throw new Error(`the configuration was refused: ${loaded.err}`);
  }
  return { run, stop };
}
