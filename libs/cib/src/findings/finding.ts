/** What kinds of findings there are. */
export const FINDING_KINDS = [
  'unknown-name',
  'unreadable-value',
  'read-in-part',
  'unknown-operation',
  'idle-operation',
  'repeated-operation',
  'repeated-fencing-level',
  'repeated-node',
  'unknown-agent',
  'unchecked-agent',
  'unknown-parameter',
  'missing-parameter',
  'unknown-node',
  'unmonitored',
  'not-done',
  'clear-secret',
  'erased-secret',
  'unseen-character',
  'unusable-node-name',
  'look-alike',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** Something of a configuration that is valid and does not do what it seems to say. */
export interface ConfigurationFinding {
  readonly kind: FindingKind;
  /** `error`: surely not meant, so that a write that brings it in is refused unless it is forced. `warning`: somebody may want it; it is told. */
  readonly level: 'error' | 'warning';
  /** Of the element, e.g. `/cib/configuration/resources/primitive[@id='db']`. */
  readonly path: string;
  /** The element's name. */
  readonly element: string;
  /** The element's own id. */
  readonly id?: string;
  /** What it is of: a resource (and its operation), a node, or a section. */
  readonly subject: string;
  /** Line of the start tag in the document that was read, from 1. */
  readonly line?: number;
  /** The attribute that is wrong, if it is one. */
  readonly attribute?: string;
  /** What is wrong, and what to do about it. */
  readonly message: string;
  /** What counts as long as nobody mends it. */
  readonly meanwhile: string;
  /** The known name or word that was most likely meant. */
  readonly suggestion?: string;
}

/** What tells findings of two documents apart: the element by its id, wherever it stands, the attribute, and what is wrong. */
export function findingKey({ id, path, attribute = '', message }: ConfigurationFinding): string {
  return JSON.stringify([id ?? path, attribute, message]);
}
