import { findingsOf, type ConfigurationFinding } from '@systole/cib';
import { readConfiguration } from '@systole/cluster';

/** What was found in a document. */
export interface Verified {
  /** It would be taken, but for findings of level `error`, which have to be forced. */
  readonly valid: boolean;
  /** Why it is not valid, each with its place. */
  readonly problems: readonly { readonly message: string; readonly path?: string; readonly line?: number }[];
  /** What is valid and does not do what it seems to say. */
  readonly findings: readonly ConfigurationFinding[];
}

/** Checks a CIB, XML text, as an import does; what nodes have told of their agents it does not know. */
export function verifyDocument(document: string): Verified {
  const reading = readConfiguration(document);
  if (reading.ok) return { valid: true, problems: [], findings: findingsOf(reading.cib) };
  const problems = reading.issues.map(({ message, path, line }) => ({
    message,
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
  }));
  return { valid: false, problems, findings: reading.findings ?? [] };
}
