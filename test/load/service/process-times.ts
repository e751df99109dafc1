import { readdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** CPU time of the process with all its threads, ms. */
  readonly own: number;
  /** Of its children that have ended, and of theirs, ms. */
  readonly ended: number;
}

/** Fields of /proc/PID/stat, as proc(5) numbers them from 1; what stands before them is a name, which may hold anything. */
const FIELD = { ppid: 4, utime: 14, stime: 15, cutime: 16, cstime: 17 } as const;
const FIRST_AFTER_NAME = 3;

function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - FIRST_AFTER_NAME]);
  const ms = (...numbers: number[]): number => (numbers.reduce((sum, number) => sum + field(number), 0) / TICKS_PER_SECOND) * 1_000;
  return { pid, parent: field(FIELD.ppid), own: ms(FIELD.utime, FIELD.stime), ended: ms(FIELD.cutime, FIELD.cstime) };
}

/** CPU time of a process with all its threads, without that of its children; ms. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/** CPU time of a process and of all its children, also of those that have ended; ms. */
export function cpuOfFamily(pid: number): number {
  return family(pid).reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** A process and its children, and theirs. */
function family(pid: number): readonly Stat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const members = all.filter((stat) => stat.pid === pid);
  for (const member of members) members.push(...all.filter(({ parent }) => parent === member.pid));
  return members;
}

/** Resident set of a process, MiB. */
export function residentMib(pid: number): number {
  return fieldMib(`/proc/${pid}/status`, 'VmRSS');
}

/** Memory of a process and its children, what they share counted once (proportional set size), MiB. */
export function proportionalMibOfFamily(pid: number): number {
  return family(pid).reduce((sum, member) => sum + fieldMib(`/proc/${member.pid}/smaps_rollup`, 'Pss'), 0);
}

function fieldMib(file: string, name: string): number {
  try {
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((text) => text.startsWith(`${name}:`));
    return Number(line?.match(/\d+/)?.[0] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
