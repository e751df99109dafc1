import { closeSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { printable } from '@systole/protocol/printable';
import type { OutputChunk } from '@systole/simulator';
import { EXIT, type ExitCode, ProgramError } from './exit-codes.js';
import { exitCodeOf, isSystemError, reasonOf } from './file-errors.js';

const BUFFER_SIZE = 65_536;

/** Standard output and standard error: written in large pieces, and yet in their common order. What names and values have in them to steer a terminal is shown there, not obeyed; elsewhere every byte is as the report has it. */
export class StandardStreams {
  private stream: OutputChunk['stream'] = 'stdout';
  private pending = '';
  /** Standard output can't be written any more; that was told, and what follows is dropped. */
  private broken = false;

  readonly write = ({ stream, text }: OutputChunk): void => {
    if (stream !== this.stream) this.flush();
    this.stream = stream;
    this.pending += text;
    if (this.pending.length > BUFFER_SIZE) this.flush();
  };

  /** @throws {ProgramError} the first time that standard output can't be written; where errors can't be, nobody can be told. */
  flush(): void {
    const { stream, pending } = this;
    this.pending = '';
    if (stream === 'stdout' && this.broken) return;
    const file = stream === 'stdout' ? 1 : 2;
    try {
      writeAll(file, Buffer.from(isatty(file) ? printable(pending) : pending));
    } catch (error) {
      if (stream === 'stderr') return;
      this.broken = true;
      throw new ProgramError(EXIT.inputOutput, `crm_simulate: Could not write standard output: ${reasonOf(error)}`);
    }
  }
}

/** A report for a file, kept until it is complete; it may be longer than a string can be. */
export class KeptReport {
  private readonly pieces: string[] = [];
  private pending = '';

  add(text: string): void {
    this.pending += text;
    if (this.pending.length <= BUFFER_SIZE) return;
    this.pieces.push(this.pending);
    this.pending = '';
  }

  /** @throws {ProgramError} when the file can't be written. */
  save(file: string): void {
    savePieces(file, [...this.pieces, this.pending]);
  }
}

function writeAll(file: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(file, bytes, written);
    } catch (error) {
      // The other end of a pipe is slow, or has gone.
      if (isSystemError(error, 'EAGAIN')) continue;
      if (isSystemError(error, 'EPIPE')) return;
      throw error;
    }
  }
}

/**
 * @param exitCode how the program ends when it fails; by default as the system's reason says.
 * @throws {ProgramError} when the file can't be written.
 */
export function saveFile(file: string, text: string, exitCode?: ExitCode): void {
  savePieces(file, [text], exitCode);
}

function savePieces(file: string, pieces: readonly string[], exitCode?: ExitCode): void {
  try {
    const descriptor = openSync(file, 'w');
    try {
      for (const piece of pieces) writeAll(descriptor, Buffer.from(piece));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new ProgramError(exitCode ?? exitCodeOf(error), `crm_simulate: Could not write ${file}: ${reasonOf(error)}`);
  }
}
