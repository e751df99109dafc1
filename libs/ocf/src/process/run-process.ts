import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { startApart } from './apart.js';
import { OutputTail } from './output-tail.js';
import { terminateGroup } from './process-group.js';

/** An account, by its numbers; of groups it has this one only. */
export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: the root, where nothing keeps a file system from being unmounted. */
  readonly cwd?: string;
  /** As whom it runs; as this process when left out. */
  readonly user?: ProcessUser;
  /** Written to standard input, which is then closed; without it standard input is empty. */
  readonly stdin?: string;
  /** ms after which the process group is terminated. */
  readonly timeoutMs: number;
  /** Time between TERM and KILL, ms. Default 5000. */
  readonly killGraceMs?: number;
  /** Bytes kept of each output stream (its end). Default 64 KiB. */
  readonly maxOutputBytes?: number;
  /** Terminates the process group as a timeout does; when it came before the beginning, nothing is started. */
  readonly abort?: AbortSignal;
  /** Called synchronously after the process exists, with its pid, which is also its process group. */
  readonly onStarted?: (pid: number) => void;
  /** Called with each complete line of standard error, whatever of the output is kept. */
  readonly onErrorLine?: (line: string) => void;
}

/** How a process ended. */
export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timeout'; readonly groupGone: boolean }
  | { readonly kind: 'aborted'; readonly groupGone: boolean }
  /** `code` is the system's error code, e.g. ENOENT or E2BIG, or Node's for what it would not even ask the system for (a NUL in an argument). */
  | { readonly kind: 'not-started'; readonly code: string; readonly message: string };

export interface ProcessResult {
  readonly end: ProcessEnd;
  readonly stdout: string;
  /** Bytes that were printed to standard output, kept or not. */
  readonly stdoutBytes: number;
  /** What was kept of it, as it was printed: `stdout` has U+FFFD for what is no UTF-8. */
  readonly stdoutKept: Uint8Array;
  readonly stderr: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAtMs: number;
  /** Duration, ms, monotonic. */
  readonly execMs: number;
}

const KILL_GRACE_MS = 5_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
/** A daemon that the process leaves behind may hold the output open for ever; after the exit only what is already there is read. */
const DRAIN_MS = 100;
const MAX_LINE_BYTES = 16 * 1024;

/**
 * Runs a program in a session and process group of its own, so that a timeout reaches everything that it started, and never rejects:
 * every end is a value.
 */
export function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const startedAtMs = Date.now();
  const started = performance.now();
  const limit = request.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const stdout = new OutputTail(limit);
  const stderr = new OutputTail(limit);
  const lines = new LineSplitter(request.onErrorLine);
  return new Promise((resolve) => {
    let settled = false;
    const finish = (end: ProcessEnd): void => {
      if (settled) return;
      settled = true;
      lines.end();
      resolve({
        end,
        ...{ stdout: stdout.text(), stdoutBytes: stdout.bytes, stdoutKept: stdout.kept() },
        stderr: stderr.text(),
        ...{ startedAtMs, execMs: Math.round(performance.now() - started) },
      });
    };

    const isAborted = (): boolean => request.abort?.aborted === true;
    if (isAborted()) {
      finish({ kind: 'aborted', groupGone: true });
      return;
    }
    let child: ChildProcessWithoutNullStreams;
    try {
      child = start(request);
    } catch (error) {
      finish(notStarted(error));
      return;
    }
    child.on('error', (error) => {
      if (child.pid === undefined) finish(notStarted(error));
    });
    const group = child.pid;
    if (group === undefined) return;
    request.onStarted?.(group);

    child.stdout.on('data', (chunk: Buffer) => {
      stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      lines.push(chunk);
    });
    // A process that does not read its input closes the pipe; that is its right.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin ?? '');

    let terminating: 'timeout' | 'aborted' | undefined;
    const terminate = (why: 'timeout' | 'aborted'): void => {
      if (terminating !== undefined || settled) return;
      terminating = why;
      void terminateGroup(group, { graceMs: request.killGraceMs ?? KILL_GRACE_MS }).then((groupGone) => {
        cleanUp();
        finish({ kind: why, groupGone });
      });
    };
    let exited = false;
    // After this process was frozen, timers come first: the exit that the system has to tell of is heard before the time is called up.
    const timer = setTimeout(() => {
      setImmediate(() => {
        if (!exited) terminate('timeout');
      });
    }, request.timeoutMs);
    const onAbort = (): void => {
      terminate('aborted');
    };
    request.abort?.addEventListener('abort', onAbort, { once: true });
    if (isAborted()) onAbort();

    const cleanUp = (): void => {
      clearTimeout(timer);
      request.abort?.removeEventListener('abort', onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
    };

    child.on('exit', (code, signal) => {
      exited = true;
      // While terminating, the group's end counts, not the leader's.
      if (terminating !== undefined) return;
      clearTimeout(timer);
      const end: ProcessEnd = signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal };
      const drained = setTimeout(() => {
        cleanUp();
        finish(end);
      }, DRAIN_MS);
      child.on('close', () => {
        clearTimeout(drained);
        cleanUp();
        finish(end);
      });
    });
  });
}

/** @throws some failures (E2BIG, a NUL in an argument); others (ENOENT, EACCES, EMFILE) are an `error` event of what is returned */
function start({ file, args, env, cwd = '/', user }: ProcessRequest): ChildProcessWithoutNullStreams {
  return startApart(() => spawn(file, args, { detached: true, env, stdio: ['pipe', 'pipe', 'pipe'], cwd, ...(user ?? {}) }));
}

function notStarted(error: unknown): ProcessEnd {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  // Node quotes the value that it refuses, which may be a password.
  return { kind: 'not-started', code, message: message.replace(/\. Received [^]*$/, '') };
}

/** Cuts a byte stream into lines; over-long lines are cut off rather than collected. */
class LineSplitter {
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');

  constructor(private readonly onLine: ((line: string) => void) | undefined) {}

  push(chunk: Buffer): void {
    if (this.onLine === undefined) return;
    const parts = (this.rest + this.decoder.write(chunk)).split('\n');
    this.rest = (parts.pop() ?? '').slice(0, MAX_LINE_BYTES);
    for (const line of parts) this.onLine(line);
  }

  end(): void {
    if (this.rest !== '') this.onLine?.(this.rest);
    this.rest = '';
  }
}
