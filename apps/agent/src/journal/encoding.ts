import { crc32 } from 'node:zlib';
import type { JournalRecord } from '@systole/node-session';

const NEWLINE = 0x0a;
const CRC_CHARS = 8;

/** One record as a line: CRC-32 of the JSON in hex, a blank, the JSON, a line feed. */
export function encodeRecord(record: JournalRecord): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

export interface DecodedJournal {
  readonly records: readonly JournalRecord[];
  /** Length of the readable part; what follows is a line that was not completely written, or damage. */
  readonly validBytes: number;
  /** True when readable records follow unreadable ones: no interrupted write does that, a damaged disk or a hand does. */
  readonly damaged: boolean;
}

/** Reads a journal up to the first line that is incomplete or fails its checksum. */
export function decodeJournal(bytes: Buffer): DecodedJournal {
  const records: JournalRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at);
    const record = end < 0 ? undefined : decodeLine(bytes.toString('utf8', at, end));
    if (record === undefined) return { records, validBytes: at, damaged: readableAfter(bytes, end) };
    records.push(record);
    at = end + 1;
  }
  return { records, validBytes: at, damaged: false };
}

function readableAfter(bytes: Buffer, firstEnd: number): boolean {
  let at = firstEnd + 1;
  while (firstEnd >= 0 && at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return false;
    if (decodeLine(bytes.toString('utf8', at, end)) !== undefined) return true;
    at = end + 1;
  }
  return false;
}

function decodeLine(line: string): JournalRecord | undefined {
  const json = line.slice(CRC_CHARS + 1);
  if (line[CRC_CHARS] !== ' ' || checksum(json) !== line.slice(0, CRC_CHARS)) return undefined;
  // The checksum vouches that these are the bytes that encodeRecord wrote.
  return JSON.parse(json) as JournalRecord;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CRC_CHARS, '0');
}
