import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from './problem-codes.js';

/** How what is no defect of the server's is logged, though it is answered as its fault, or ended a thread: by what is asked of it, or by who hung up. */
const LEVELS: Partial<Readonly<Record<ProblemCode, RefusalLevel>>> = {
  'caller-gone': 'debug',
  busy: 'warn',
  overloaded: 'warn',
  'computation-timeout': 'warn',
  'computation-too-large': 'warn',
  'unsupported-transfer-coding': 'warn',
};

export type RefusalLevel = 'debug' | 'warn';

const refused = new WeakSet<IncomingMessage>();

/** At which level it is said that a request was refused so; undefined where that says nothing of the level. */
export function refusalLevel(code: ProblemCode): RefusalLevel | undefined {
  return LEVELS[code];
}

/** Notes that it was said of a request why it was refused, and that nothing broke. */
export function noteRefusal(request: IncomingMessage): void {
  refused.add(request);
}

/** Whether nothing broke, though its answer has a status of the 500s. */
export function isRefusal(request: IncomingMessage): boolean {
  return refused.has(request);
}
