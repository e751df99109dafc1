import { createHash } from 'node:crypto';
import { type Cib, CibRefused, readCib, serializeXml, XmlError } from '@systole/cib';
import { projectRun } from '@systole/scheduler';
import {
  InvalidTimeError,
  JsonReport,
  type Reporter,
  type ReportOptions,
  type SimulationObserver,
  UnknownNodeError,
  XmlReport,
} from '@systole/simulator';
import type { FuzzInput } from './input.js';
import { computeOutputs } from './outputs.js';

/** What became of an input: outputs, or a refusal that says what and where, or a breach of the law. */
export type Verdict =
  /** `digest` is of all outputs, `strict` how a strict reader would have taken the document. */
  | { readonly kind: 'result'; readonly digest: string; readonly strict: string; readonly outputLength: number }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'breach'; readonly breach: Breach };

export interface Breach {
  /** An exception that is none of ours; a refusal without a place; other bytes for the same input; a changed input; too slow or too large. */
  readonly what: 'exception' | 'no place' | 'not deterministic' | 'input changed' | 'endless' | 'too slow' | 'out of memory' | 'crash';
  /** Tells breaches apart: two inputs with the same signature show the same defect, most likely. */
  readonly signature: string;
  readonly detail: string;
}

/** A moment after everything in the corpora; simulated results must not lie before recorded ones. */
const CLOCK = 1_800_000_000;

const everything: ReportOptions = { scores: true, utilization: true, quiet: false, attributes: true, failCounts: true };

/**
 * The law: whatever the text, reading, scheduling and simulating it ends in outputs or in a typed error that names the place, the same in each
 * run, and leaves the document that was read as it was. Bounds of time and memory are the caller's to watch.
 */
export function judge(input: FuzzInput): Verdict {
  const strict = readStrictly(input.text);
  if (typeof strict !== 'string') return strict;
  const read = attempt(() => readCib(input.text));
  if ('verdict' in read) return read.verdict;
  const before = serializeXml(read.value.document);
  const first = attempt(() => everyOutput(read.value, input));
  if ('verdict' in first) return first.verdict;
  const second = attempt(() => everyOutput(read.value, input));
  if ('verdict' in second) return breach('not deterministic', 'the second run is refused', JSON.stringify(second.verdict));
  for (const [index, text] of first.value.entries()) {
    const other = second.value[index] ?? '';
    if (text !== other) return breach('not deterministic', `output ${index}`, difference(text, other));
  }
  const after = serializeXml(read.value.document);
  if (before !== after) return breach('input changed', 'document', difference(before, after));
  // One by one: together they may be longer than a string can be.
  const hash = createHash('sha256');
  for (const text of first.value) hash.update(`${text.length}:`).update(text);
  const digest = hash.digest('hex');
  return { kind: 'result', digest, strict, outputLength: first.value.reduce((sum, text) => sum + text.length, 0) };
}

/** How a strict reader takes the document, in a word; a verdict when it breaks the law over it. */
function readStrictly(text: string): string | Verdict {
  const read = attempt(() => readCib(text, { strict: true }));
  if (!('verdict' in read)) return 'accepted';
  return read.verdict.kind === 'refused' ? read.verdict.error : read.verdict;
}

/** The four outputs, and those of every other report. */
function everyOutput(cib: Cib, { time, injections, failures }: FuzzInput): string[] {
  const texts: string[] = [];
  const write = ({ text }: { readonly text: string }): void => {
    texts.push(text);
  };
  const reports: Reporter[] = [new JsonReport(everything, 0, write), new XmlReport(everything, '', write)];
  const observer: Required<SimulationObserver> = {
    current: (cluster) => {
      for (const report of reports) report.current(cluster);
    },
    modified: (changes) => {
      for (const report of reports) report.modified?.(changes);
    },
    reread: (cluster) => {
      for (const report of reports) report.reread?.(cluster);
    },
    planned: (run) => {
      texts.push(JSON.stringify(projectRun(run, { now: run.cluster.now })));
      for (const report of reports) {
        report.scored(run);
        report.planned?.(run);
      }
    },
    executing: () => {
      for (const report of reports) report.executing?.();
    },
    executed: (event) => {
      for (const report of reports) report.executed?.(event);
    },
    revised: (cluster, end) => {
      for (const report of reports) report.revised?.(cluster, end);
    },
  };
  const outputs = computeOutputs(cib, { time, clock: CLOCK, injections, failures, observer });
  for (const report of reports) report.finish({ exitCode: 0, message: 'OK', errors: [] });
  return [...Object.values(outputs), ...texts];
}

function attempt<T>(action: () => T): { readonly value: T } | { readonly verdict: Verdict } {
  try {
    return { value: action() };
  } catch (error) {
    return { verdict: verdictOf(error) };
  }
}

/** What an error amounts to: a typed one says what is wrong and where; any other is a breach. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof XmlError) {
    if (error.line === undefined && error.reason !== 'too-large') return breach('no place', `XmlError ${error.reason}`, error.message);
    return { kind: 'refused', error: `XmlError ${error.reason}` };
  }
  if (error instanceof CibRefused) {
    const placed =
      error.problems.length > 0 && error.problems.every(({ path, line }) => path === '/cib' || (path !== '' && line !== undefined));
    // What is wrong with the root element is in the message: the place is the document.
    if (!placed && error.reason !== 'not-a-cib' && error.reason !== 'unknown-schema') {
      return breach('no place', `CibRefused ${error.reason}`, `${error.message}\n${JSON.stringify(error.problems.slice(0, 5))}`);
    }
    return { kind: 'refused', error: `CibRefused ${error.reason}` };
  }
  if (error instanceof UnknownNodeError || error instanceof InvalidTimeError) return { kind: 'refused', error: error.name };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const frame = /\/(?:libs|test)\/[^\s)]*?([\w-]+\.[jt]s):\d+/.exec(stack)?.[1] ?? 'outside';
  const caller = /at (?:new )?([\w.<>]+)/.exec(stack)?.[1] ?? '';
  return breach('exception', `${error instanceof Error ? error.name : 'no error'} in ${caller} (${frame})`, stack.slice(0, 4000));
}

function breach(what: Breach['what'], signature: string, detail: string): Verdict {
  return { kind: 'breach', breach: { what, signature: `${what}: ${signature}`, detail } };
}

/** Where two texts part. */
function difference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 200);
  return `at ${at}:\n${a.slice(from, at + 200)}\n---\n${b.slice(from, at + 200)}`;
}
