import { type ChildProcess, fork } from 'node:child_process';
import type { FuzzInput } from './input.js';
import type { Judged } from './judge-process.js';
import type { Breach } from './law.js';

export interface Limits {
  /** Processor time that an input may take, in ms, when its outputs have so many characters. */
  readonly cpuMs: (input: FuzzInput, outputLength: number) => number;
  /** Memory for objects, in MiB. */
  readonly memoryMiB: number;
  /** After so much time its process is ended, in ms: much more than it may take, since the machine may be busy with other things. */
  readonly waitMs: (input: FuzzInput) => number;
}

/**
 * Judges inputs one by one in a process of its own, which is ended when it hangs, may run out of memory, and is started anew then. A thread would not
 * do: an array beyond what V8 can hold ends the whole process.
 */
export class Judge {
  private child: ChildProcess | undefined;
  private pending: ((judged: Judged) => void) | undefined;
  private complaint = '';

  /** @param entry path of the compiled judge-process.ts. */
  constructor(
    private readonly entry: string,
    private readonly limits: Limits,
  ) {}

  /** Applies the law and the limits. */
  async judge(input: FuzzInput): Promise<Judged> {
    const judged = await this.inProcess(input, this.limits.waitMs(input));
    const { verdict } = judged;
    if (verdict.kind === 'breach') return judged;
    const allowed = this.limits.cpuMs(input, verdict.kind === 'result' ? verdict.outputLength : 0);
    if (judged.cpuMs <= allowed) return judged;
    const detail = `${Math.round(judged.cpuMs)} ms of processor time where ${Math.round(allowed)} ms are allowed`;
    return { ...judged, verdict: { kind: 'breach', breach: { what: 'too slow', signature: 'too slow', detail } } };
  }

  close(): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private inProcess(input: FuzzInput, waitMs: number): Promise<Judged> {
    const child = (this.child ??= this.start());
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.giveUp('endless', `no end after ${waitMs} ms`);
      }, waitMs);
      this.pending = (judged) => {
        clearTimeout(timer);
        this.pending = undefined;
        resolve(judged);
      };
      child.send(input);
    });
  }

  private start(): ChildProcess {
    const child = fork(this.entry, {
      execArgv: [`--max-old-space-size=${this.limits.memoryMiB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.complaint = '';
    child.stderr?.on('data', (text: Buffer) => {
      this.complaint += text.toString();
    });
    child.on('message', (judged: Judged) => this.pending?.(judged));
    child.on('close', (code, signal) => {
      if (this.child !== child) return;
      const memory = /out of memory|invalid (?:array length|size error|table size)/i.test(this.complaint);
      this.giveUp(
        memory ? 'out of memory' : 'crash',
        `the process ended (${signal ?? String(code)}): ${this.complaint.trim().slice(0, 2000)}`,
      );
    });
    return child;
  }

  /** Ends the process and answers in its place. */
  private giveUp(what: Breach['what'], detail: string): void {
    this.close();
    this.pending?.({ verdict: { kind: 'breach', breach: { what, signature: what, detail } }, cpuMs: 0 });
  }
}
