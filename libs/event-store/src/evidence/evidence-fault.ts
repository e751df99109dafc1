/** What can be wrong with a file of evidence. */
export type EvidenceFaultKind =
  /** It ends before its end, or has not what its first line announces. */
  | 'incomplete-file'
  /** A line is none of such a file. */
  | 'unreadable-line'
  /** A version is left out. */
  | 'missing-version'
  /** Events, or streams, stand in another order than the one in which they were written. */
  | 'changed-order'
  /** An event's hash is not that of its text and of the event before: one of the two was changed. */
  | 'changed-content'
  /** A stream ends before a head that was signed. */
  | 'cut-tail'
  /** A stream has another event at a head that was signed: it was written anew. */
  | 'rewritten'
  /** A stream of which a head was signed is not there. */
  | 'missing-stream'
  /** A statement is of another installation than the file, as its first line says. */
  | 'other-installation'
  /** A signature is not that of its statement. */
  | 'bad-signature'
  /** A statement was signed with a key that is not among those that are trusted. */
  | 'unknown-key'
  /** A statement is not in the log, or not where it has to be. */
  | 'missing-statement'
  /** The log has another statement of that number than the one that was published. */
  | 'other-statement'
  /** A stream lost its end and was written anew: what was published shows it, and an epoch of the log tells of it. */
  | 'lost-tail'
  /** Statements that were published are of such an end, and were lost with it. */
  | 'lost-statements';

export interface EvidenceFault {
  readonly fault: EvidenceFaultKind;
  readonly streamId?: string;
  /** Where it was found first. */
  readonly version?: number;
  /** Number of the statement that shows it. */
  readonly statement?: number;
  /** For people. */
  readonly detail: string;
}
