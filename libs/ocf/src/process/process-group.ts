import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc/<pid>/stat` says about a process, as far as we need it. */
export interface ProcessStat {
  readonly pid: number;
  /** One letter: R, S, D, T, Z (zombie), X (dead) ... */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks after boot at which it started; with the pid it identifies a process for as long as the machine is up. */
  readonly startTicks: number;
}

/** Reads a process's entry in /proc; undefined when there is none (or no /proc). */
export function processStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the command in parentheses and may itself contain blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const startTicks = fields[19];
  if (state === undefined || startTicks === undefined) return undefined;
  return { pid, state, parent: Number(parent), group: Number(group), session: Number(session), startTicks: Number(startTicks) };
}

/** The processes of a group that still run. Zombies are not counted: where nothing reaps orphans they stay for ever. */
export function groupMembers(group: number): ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processStat(Number(name)))
    .filter((stat): stat is ProcessStat => stat !== undefined && stat.group === group && stat.state !== 'Z' && stat.state !== 'X');
}

/**
 * The oldest process that was started with this variable in its environment; of a program and what it started, that is the program itself for as
 * long as it runs. Undefined when there is none, or no /proc.
 */
export function oldestWith(variable: string, value: string): ProcessStat | undefined {
  const entry = `${variable}=${value}`;
  let oldest: ProcessStat | undefined;
  for (const name of processNames()) {
    const stat = environmentOf(name).includes(entry) ? processStat(Number(name)) : undefined;
    if (stat === undefined || stat.state === 'Z' || stat.state === 'X') continue;
    if (oldest === undefined || stat.startTicks < oldest.startTicks || (stat.startTicks === oldest.startTicks && stat.pid < oldest.pid))
      oldest = stat;
  }
  return oldest;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Whether any process of the group still runs. */
export function groupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  try {
    return groupMembers(group).length > 0;
  } catch {
    // No /proc on this system: the signal's answer is all we have.
    return true;
  }
}

/** Sends a signal to a process group; false when no such group exists. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

export interface TerminateOptions {
  /** Time between TERM and KILL, ms. */
  readonly graceMs: number;
  /** How long to wait for the group to vanish after KILL, ms; a process in uninterruptible sleep can outlive it. */
  readonly killWaitMs?: number;
}

const POLL_MS = 20;
const KILL_WAIT_MS = 5_000;

/** TERM to the whole group, then KILL to what is left after the grace period. Resolves to whether the group is gone. */
export async function terminateGroup(group: number, { graceMs, killWaitMs = KILL_WAIT_MS }: TerminateOptions): Promise<boolean> {
  signalGroup(group, 'SIGTERM');
  // A stopped process does not act on TERM until it continues.
  signalGroup(group, 'SIGCONT');
  if (await goneWithin(group, graceMs)) return true;
  signalGroup(group, 'SIGKILL');
  return goneWithin(group, killWaitMs);
}

async function goneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (;;) {
    if (!groupAlive(group)) return true;
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
