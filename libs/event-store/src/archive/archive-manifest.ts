import { isSignedHeads, type SignedHeads } from '../evidence/signed-heads.js';

/** What one file of an archive holds: a run of events of one stream. Lies beside it as JSON. */
export interface ArchiveManifest {
  readonly systoleArchive: 1;
  readonly installation: string;
  readonly streamId: string;
  /** Name of the cluster that it is of; absent of the server's own streams. */
  readonly clusterName?: string;
  readonly firstVersion: number;
  readonly lastVersion: number;
  /** Of the event before the first one, lower-case hexadecimal; 64 zeros at the beginning of a stream. */
  readonly previousHash: string;
  /** Of the last one. */
  readonly lastHash: string;
  /** ISO 8601: dates of the first and the last event. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** Of the file: its name beside this one, its length in bytes, its SHA-256 in lower-case hexadecimal. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** ISO 8601. */
  readonly archivedAt: string;
  /** The newest signed statement that names an event of this run: who signed that the stream was so; absent: none does. */
  readonly signed?: SignedHeads;
}

const TEXTS = ['installation', 'streamId', 'previousHash', 'lastHash', 'firstAt', 'lastAt', 'file', 'sha256', 'archivedAt'] as const;
const NUMBERS = ['firstVersion', 'lastVersion', 'bytes'] as const;

/** Undefined when a text from elsewhere is no manifest. */
export function readManifest(text: string): ArchiveManifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { file, signed, clusterName } = fields;
  const isManifest =
    fields['systoleArchive'] === 1 &&
    TEXTS.every((name) => typeof fields[name] === 'string') &&
    NUMBERS.every((name) => Number.isSafeInteger(fields[name])) &&
    (clusterName === undefined || typeof clusterName === 'string') &&
    (signed === undefined || isSignedHeads(signed)) &&
    // A name beside the manifest, and nothing that leads elsewhere.
    /^[\w.-]+$/.test(String(file));
  return isManifest ? (value as ArchiveManifest) : undefined;
}

/** Where a stream's files lie within an archive: no id leads out of it. */
export function directoryOf(streamId: string): string {
  return encodeURIComponent(streamId).replaceAll('.', '%2E');
}

/** In the order of the versions also when sorted by name. */
export function segmentName(firstVersion: number, lastVersion: number): string {
  const digits = (version: number): string => String(version).padStart(12, '0');
  return `${digits(firstVersion)}-${digits(lastVersion)}`;
}
