import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a run has to end and to remove when it is interrupted. */
const children = new Set<ChildProcess>();
const directories = new Set<string>();
let isEnding = false;

const PATIENCE_MS = 10_000;

export function endWithRun(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** @throws when the run is being ended: what is begun now nobody would end */
export function removeWithRun(directory: string): void {
  directories.add(directory);
  if (isEnding) throw new Error('the run was interrupted');
}

/** Does something that leaves neither processes nor data when it is interrupted. */
export async function orCleanUp(run: () => Promise<void>): Promise<void> {
  let interrupted: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted ??= cleanUp().finally(() => process.exit(1));
    });
  }
  try {
    await run();
  } catch (error) {
    // What was ended is missed by whoever was at it.
    if (interrupted === undefined) throw error;
    await interrupted;
  }
}

async function cleanUp(): Promise<void> {
  isEnding = true;
  // However it ends: what was begun may fail for want of what is ended here.
  process.once('exit', () => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  console.error('interrupted: ending what was started for this run, and removing its data');
  const ended = [...children].map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGTERM');
  await Promise.race([Promise.all(ended), sleep(PATIENCE_MS)]);
  for (const child of children) child.kill('SIGKILL');
}
