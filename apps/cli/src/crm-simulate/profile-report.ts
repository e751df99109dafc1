import { type ReportEnd, type WriteChunk, xmlResult, xmlTag } from '@systole/simulator';
import type { OutputFormat } from './output-format.js';

/** How long scheduling one file took. */
export interface Timing {
  readonly file: string;
  /** For all repetitions together. */
  readonly seconds: number;
}

/** Tells how long each file took. */
export interface ProfileReport {
  timed(timing: Timing): void;
  finish(end: ReportEnd): void;
}

/** @param request the command line, which XML repeats. */
export function profileReport(format: OutputFormat, request: string, write: WriteChunk): ProfileReport {
  switch (format) {
    case 'text':
      return textProfile(write);
    case 'xml':
      return collected(write, (timings, end) => xmlResult(request, [timingsXml(timings)], end).join(''));
    case 'json':
      return collected(write, (timings, { exitCode, message, errors }) => {
        const status = { code: exitCode, message, ...(errors.length === 0 ? {} : { errors }) };
        return `${JSON.stringify({ timings, status }, undefined, 2)}\n`;
      });
  }
}

/** A line per file, as soon as it is done. */
function textProfile(write: WriteChunk): ProfileReport {
  write({ stream: 'stdout', text: 'Timings:\n' });
  return {
    timed: ({ file, seconds }) => {
      write({ stream: 'stdout', text: `  * Testing ${file} ... ${seconds.toFixed(2)} secs\n` });
    },
    finish: ({ errors }) => {
      for (const error of errors) write({ stream: 'stderr', text: `${error}\n` });
    },
  };
}

function collected(write: WriteChunk, render: (timings: readonly Timing[], end: ReportEnd) => string): ProfileReport {
  const timings: Timing[] = [];
  return {
    timed: (timing) => {
      timings.push(timing);
    },
    finish: (end) => {
      write({ stream: 'stdout', text: render(timings, end) });
    },
  };
}

function timingsXml(timings: readonly Timing[]): string {
  const lines = timings.map(({ file, seconds }) => `    ${xmlTag('timing', { file, duration: seconds.toFixed(6) })}\n`);
  return `  <timings>\n${lines.join('')}  </timings>\n`;
}
