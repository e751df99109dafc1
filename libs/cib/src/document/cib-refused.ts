/** Why a well-formed document is not taken in. */
export type CibRefusalReason =
  /** The root element is not `cib`. */
  | 'not-a-cib'
  /** `validate-with` is missing or names no known schema. */
  | 'unknown-schema'
  /** What is written stands for more resources, relations or references than can be worked with; see `problems`. */
  | 'too-large'
  /** Validation found problems; see `problems`. */
  | 'invalid';

/** One thing that is wrong with a document, where, and what to do about it. */
export interface CibProblem {
  /** Path of the element, e.g. `/cib/configuration/resources/primitive[@id='db']`. */
  readonly path: string;
  /** The element's name. */
  readonly element: string;
  readonly id: string | undefined;
  /** Line of the start tag, from 1, or of one around it where an upgrade made the element; undefined for a document that was made and not read. */
  readonly line: number | undefined;
  /** The attribute that is wrong, if it is one. */
  readonly attribute?: string;
  readonly message: string;
}

/** Thrown when a document is well-formed XML and yet no CIB that can be used. */
export class CibRefused extends Error {
  override readonly name = 'CibRefused';

  constructor(
    readonly reason: CibRefusalReason,
    message: string,
    readonly problems: readonly CibProblem[] = [],
  ) {
    super(message);
  }
}
