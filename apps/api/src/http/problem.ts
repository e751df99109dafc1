import type { FindingKind } from '@systole/cib';
import type { IssueSubject } from '@systole/cluster';
import type { ProblemCode } from './problem-codes.js';

/** One thing that is wrong with a request, and where. */
export interface ProblemIssue {
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string;
  /** Name of the query or path parameter. */
  readonly parameter?: string;
  readonly header?: string;
  /** Line in a submitted XML document, from 1. */
  readonly line?: number;
  /** Name of the element there. */
  readonly element?: string;
  /** Path of the element, with ids. */
  readonly path?: string;
  /** Of what is valid and surely not meant: its kind. */
  readonly finding?: FindingKind;
  /** The known name or word that was most likely meant. */
  readonly suggestion?: string;
  /** It was there before, and is no reason to refuse. */
  readonly standing?: true;
  /** What of the cluster it is about, where that is nothing of the request. */
  readonly about?: IssueSubject;
  readonly detail: string;
}

/** Member of a problem document that says that there are more errors than it names. */
export const MORE_ERRORS = { moreErrors: true } as const;

/** Base of the problem types; they are names, stable for ever, and need not lead anywhere. */
export const PROBLEM_BASE = 'https://systole.dev/problems';

interface ProblemOptions {
  readonly errors?: readonly ProblemIssue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the document, e.g. `currentVersion`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The statuses that are answered, with the title of their general problem. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  426: 'Upgrade required',
  428: 'Precondition required',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not implemented',
  503: 'Service unavailable',
};

export function titleOf(status: number): string {
  return TITLES[status] ?? 'Error';
}

/** A refusal on its way to the client, where it becomes `application/problem+json` (RFC 9457). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly errors: readonly ProblemIssue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;

  /**
   * @param code last part of the problem's `type`
   * @param detail what is wrong, where, and what to do next; shown to the client
   */
  constructor(
    readonly status: number,
    readonly code: ProblemCode,
    detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail, { cause: options.cause });
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
  }

  /** The document. @param instance the request's path and id */
  document(instance: string): Readonly<Record<string, unknown>> {
    return {
      type: `${PROBLEM_BASE}/${this.code}`,
      title: titleOf(this.status),
      status: this.status,
      detail: this.message,
      instance,
      ...(this.errors.length === 0 ? {} : { errors: this.errors }),
      ...this.extensions,
    };
  }
}
