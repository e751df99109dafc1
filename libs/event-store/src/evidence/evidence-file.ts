import type { Pool } from 'pg';
import { readHashedRows, type HashedRow } from '../read/hashed-rows.js';
import { readStreamEnds, type StreamEnd } from '../read/streams.js';
import { EVIDENCE_STREAM } from './heads-log.js';

/** First line of a file of evidence: what is to follow. */
export interface EvidenceHeader {
  readonly systoleEvidence: 1;
  readonly installation: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** Whether it has all streams that there were. */
  readonly complete: boolean;
  /** What it has, in this order, each from its first event to this one. */
  readonly streams: readonly StreamEnd[];
}

/** Last line: without it the file is not complete. */
export interface EvidenceEnd {
  readonly end: { readonly events: number; readonly streams: number };
}

const PAGE = 500;

/**
 * A file of evidence, some lines at a time: a header, each event as its hash and the canonical text that the hash covers, stream after stream, and the end. It has the
 * streams as of the moment at which it was begun; that of the signed statements is among them.
 *
 * @param only streams; all when left out
 * @param exportedAt ISO 8601
 */
export async function* evidenceLines(
  pool: Pool,
  { installation, exportedAt, only }: { readonly installation: string; readonly exportedAt: string; readonly only?: readonly string[] },
): AsyncGenerator<string, void, void> {
  const all = await readStreamEnds(pool);
  const wanted = only === undefined ? undefined : new Set([...only, EVIDENCE_STREAM]);
  const ofFile = wanted === undefined ? all : all.filter(({ streamId }) => wanted.has(streamId));
  // The signed statements first: whoever verifies knows then what the others have to hold.
  const streams = [...ofFile].sort((one, other) => Number(other.streamId === EVIDENCE_STREAM) - Number(one.streamId === EVIDENCE_STREAM));
  const header: EvidenceHeader = { systoleEvidence: 1, installation, exportedAt, complete: only === undefined, streams };
  yield `${JSON.stringify(header)}\n`;
  let events = 0;
  for (const { streamId, version } of streams) {
    for (let fromVersion = 1; fromVersion <= version; fromVersion += PAGE) {
      const rows = await readHashedRows(pool, streamId, { fromVersion, toVersion: Math.min(version, fromVersion + PAGE - 1) });
      events += rows.length;
      yield rows.map(eventLine).join('');
    }
  }
  yield `${JSON.stringify({ end: { events, streams: streams.length } } satisfies EvidenceEnd)}\n`;
}

/** A line of such a file: an event's hash, and the text that it covers. */
export function eventLine({ hash, text }: HashedRow): string {
  return `{"hash":"${hash}","event":${text}}\n`;
}
