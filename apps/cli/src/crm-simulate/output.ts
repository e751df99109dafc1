import { closeSync, openSync, writeSync } from 'node:fs';
import type { OutputChunk } from '@systole/simulator';
import { type ExitCode, ProgramError } from './exit-codes.js';
import { exitCodeOf, isSystemError, reasonOf } from './file-errors.js';

const BUFFER_SIZE = 65_536;

/** Standard output and standard error: written in large pieces, and yet in their common order. */
export class StandardStreams {
  private stream: OutputChunk['stream'] = 'stdout';
  private pending = '';

  readonly write = ({ stream, text }: OutputChunk): void => {
    if (stream !== this.stream) this.flush();
    this.stream = stream;
    this.pending += text;
    if (this.pending.length > BUFFER_SIZE) this.flush();
  };

  flush(): void {
    writeAll(this.stream === 'stdout' ? 1 : 2, Buffer.from(this.pending));
    this.pending = '';
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
