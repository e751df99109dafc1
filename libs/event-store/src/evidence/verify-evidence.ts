import { eventHash, GENESIS_HASH } from '../chain/event-hash.js';
import type { EvidenceEnd, EvidenceHeader } from './evidence-file.js';
import { EVIDENCE_STREAM } from './heads-log.js';
import { linesOf } from './lines.js';
import {
  isSignedHeads,
  isSignedRightly,
  keyName,
  NO_STATEMENT,
  statementDigest,
  type HeadsStatement,
  type SignedHeads,
} from './signed-heads.js';

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
  | 'other-statement';

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

export interface EvidenceVerdict {
  readonly intact: boolean;
  readonly events: number;
  readonly streams: number;
  /** Signed statements, those of the file and those that were given besides, each once. */
  readonly statements: number;
  /** When the newest of them was signed, by the clock of the program that did; undefined: nothing is signed. */
  readonly signedUntil?: string;
  /** Of those that were given besides. 0: what was cut off together with the statements of the file that cover it was not looked for. */
  readonly published: number;
  /** Events after the newest signed head of their stream: their tail may have been cut off, or written anew. */
  readonly unsignedEvents: number;
  /** Streams that have such events. */
  readonly unsignedStreams: number;
  /** Date of the oldest of them (ISO 8601); undefined: there are none. */
  readonly unsignedSince?: string;
  /** Names of the keys with which was signed. */
  readonly keys: readonly string[];
  /** Whether those were compared with trusted ones. */
  readonly keysCompared: boolean;
  /** Streams of which heads were signed and which the file does not have, where that is allowed. */
  readonly streamsLeftOut: number;
  /** The first of each stream, at most a hundred. */
  readonly faults: readonly EvidenceFault[];
}

export interface EvidenceToVerify {
  /** The file, in pieces of any size. */
  readonly file: AsyncIterable<Uint8Array>;
  /** Signed statements that were kept elsewhere. */
  readonly published?: readonly SignedHeads[];
  /** Public keys that are trusted (SPKI in DER, base64); undefined: any, and the verdict says so. */
  readonly trustedKeys?: readonly string[];
  /** Whether the file may have some streams only. */
  readonly partial?: boolean;
}

const MOST_FAULTS = 100;
const [BEFORE_HASH, BEFORE_EVENT] = ['{"hash":"', '","event":'];
const EVENT_AT = BEFORE_HASH.length + GENESIS_HASH.length + BEFORE_EVENT.length;

/** Checks a file of evidence by itself: no server and no database is asked. Memory is bounded by what was signed, not by the events. */
export async function verifyEvidence(given: EvidenceToVerify): Promise<EvidenceVerdict> {
  const verification = new Verification(given);
  for await (const lines of linesOf(given.file)) for (const line of lines) verification.line(line);
  return verification.verdict();
}

interface SignedHead {
  readonly hash: string;
  readonly statement: number;
}

interface StreamSoFar {
  readonly streamId: string;
  version: number;
  /** Lower-case hexadecimal. */
  hash: string;
  /** Something is wrong with it: what follows says nothing more. */
  spoilt: boolean;
  /** Version of its newest signed head; 0: none is signed. */
  readonly signed: number;
}

class Verification {
  readonly #faults: EvidenceFault[] = [];
  readonly #statements = new Map<number, SignedHeads>();
  /** By stream and version. */
  readonly #heads = new Map<string, Map<number, SignedHead>>();
  readonly #keys = new Set<string>();
  readonly #trusted: ReadonlySet<string> | undefined;
  readonly #seen = new Map<string, { readonly version: number; readonly spoilt: boolean }>();
  /** Of which it has been said that they are not the file's. */
  readonly #foreign = new Set<string>();
  #header: EvidenceHeader | undefined;
  /** Whose log it is: by the first line, else by the first statement in the file. */
  #installation: string | undefined;
  #end: EvidenceEnd['end'] | undefined;
  #lines = 0;
  #events = 0;
  #unsignedEvents = 0;
  readonly #unsignedStreams = new Set<string>();
  #unsignedSince: string | undefined;
  #stream: StreamSoFar | undefined;
  #lastStatement: SignedHeads | undefined;

  constructor(private readonly given: EvidenceToVerify) {
    this.#trusted = given.trustedKeys === undefined ? undefined : new Set(given.trustedKeys);
    for (const signed of given.published ?? []) {
      const { number } = signed.statement;
      this.#judge(signed);
      const other = this.#statements.get(number);
      if (other !== undefined && statementDigest(other.statement) !== statementDigest(signed.statement)) {
        this.#fault({ fault: 'other-statement', statement: number, detail: 'two different statements of this number were published' });
      }
      this.#statements.set(number, signed);
      this.#keep(signed);
    }
  }

  line(line: Buffer): void {
    this.#lines++;
    if (line.length === 0) return;
    let value: unknown;
    try {
      value = JSON.parse(line.toString('utf8'));
    } catch {
      value = undefined;
    }
    if (!isRecord(value)) {
      this.#fault({ fault: 'unreadable-line', detail: `line ${String(this.#lines)} is no JSON object` });
      return;
    }
    if (this.#lines === 1 && isHeader(value)) {
      this.#header = value;
      this.#installation = value.installation;
      for (const { statement } of this.given.published ?? []) this.#compareInstallation(statement);
      return;
    }
    if (isRecord(value['end'])) {
      this.#end = value['end'] as unknown as EvidenceEnd['end'];
      return;
    }
    const { hash: given, event } = value;
    if (typeof given === 'string' && isRecord(event) && typeof event['streamId'] === 'string' && typeof event['version'] === 'number') {
      this.#event(line, given, event as EventOfLine);
      return;
    }
    this.#fault({ fault: 'unreadable-line', detail: `line ${String(this.#lines)} is neither an event nor the end` });
  }

  verdict(): EvidenceVerdict {
    this.#leaveStream();
    this.#judgeFile();
    this.#judgePublished();
    const leftOut = this.#judgeMissing();
    const newest = [...this.#statements.values()].reduce<SignedHeads | undefined>(
      (last, one) => (last === undefined || one.statement.number > last.statement.number ? one : last),
      undefined,
    );
    return {
      intact: this.#faults.length === 0,
      events: this.#events,
      streams: this.#seen.size,
      statements: this.#statements.size,
      ...(newest === undefined ? {} : { signedUntil: newest.statement.signedAt }),
      published: this.given.published?.length ?? 0,
      unsignedEvents: this.#unsignedEvents,
      unsignedStreams: this.#unsignedStreams.size,
      ...(this.#unsignedSince === undefined ? {} : { unsignedSince: this.#unsignedSince }),
      keys: [...this.#keys].map(keyName),
      keysCompared: this.#trusted !== undefined,
      streamsLeftOut: leftOut,
      faults: this.#faults,
    };
  }

  #event(line: Buffer, given: string, event: EventOfLine): void {
    this.#events++;
    const { streamId, version } = event;
    if (this.#stream?.streamId !== streamId) this.#enterStream(streamId);
    const stream = this.#stream;
    if (stream === undefined || stream.spoilt) return;
    if (version !== stream.version + 1) {
      const back = version <= stream.version;
      const detail = back
        ? `version ${String(version)} stands after version ${String(stream.version)}`
        : `version ${String(stream.version + 1)} is not there; the next one is ${String(version)}`;
      this.#spoil({ fault: back ? 'changed-order' : 'missing-version', streamId, version: back ? version : stream.version + 1, detail });
      return;
    }
    if (!isHashed(stream.hash, line, given)) {
      const detail = 'its hash is not that of its line, as it stands there, and of the event before';
      this.#spoil({ fault: 'changed-content', streamId, version, detail });
      return;
    }
    stream.version = version;
    stream.hash = given;
    const head = this.#heads.get(streamId)?.get(version);
    if (head !== undefined && head.hash !== given) {
      const detail = 'it is not the event that was signed: the stream was written anew';
      this.#spoil({ fault: 'rewritten', streamId, version, statement: head.statement, detail });
      return;
    }
    if (streamId === EVIDENCE_STREAM) this.#statement(event);
    else if (version > stream.signed) this.#unsigned(event);
  }

  #unsigned({ streamId, occurredAt }: EventOfLine): void {
    this.#unsignedEvents++;
    this.#unsignedStreams.add(streamId);
    if (typeof occurredAt !== 'string') return;
    if (this.#unsignedSince === undefined || occurredAt < this.#unsignedSince) this.#unsignedSince = occurredAt;
  }

  #enterStream(streamId: string): void {
    this.#leaveStream();
    const again = this.#seen.has(streamId);
    const late = streamId === EVIDENCE_STREAM && this.#seen.size > 0;
    const signed = newestHead(this.#heads.get(streamId))?.version ?? 0;
    this.#stream = { streamId, version: 0, hash: GENESIS_HASH, spoilt: again, signed };
    if (again || late) {
      const detail = again ? 'it stands in two places' : 'the signed statements have to come first';
      this.#fault({ fault: 'changed-order', streamId, detail });
    }
  }

  #leaveStream(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    const { streamId, version, spoilt } = stream;
    if (!this.#seen.has(streamId)) this.#seen.set(streamId, { version, spoilt });
    this.#stream = undefined;
    if (spoilt) return;
    const head = newestHead(this.#heads.get(streamId));
    if (head === undefined || head.version <= version) return;
    const exported = this.#header?.exportedAt;
    const when = exported === undefined ? '' : ` (the file was made at ${exported}; take one that is newer than what was signed)`;
    const detail = `version ${String(head.version)} was signed, and it ends at ${String(version)}${when}`;
    this.#fault({ fault: 'cut-tail', streamId, version: version + 1, statement: head.statement, detail });
  }

  #statement(event: EventOfLine): void {
    const signed = event['data'];
    if (!isSignedHeads(signed)) {
      this.#fault({ fault: 'unreadable-line', streamId: EVIDENCE_STREAM, version: event.version, detail: 'holds no signed statement' });
      return;
    }
    const { number, previous, installation } = signed.statement;
    const before = this.#lastStatement?.statement;
    this.#installation ??= installation;
    this.#compareInstallation(signed.statement);
    if (number !== event.version || previous !== (before === undefined ? NO_STATEMENT : statementDigest(before))) {
      const detail = 'it does not follow the statement before it';
      this.#fault({ fault: 'missing-statement', streamId: EVIDENCE_STREAM, version: event.version, statement: number, detail });
    }
    this.#lastStatement = signed;
    this.#judge(signed);
    const published = this.#statements.get(number);
    if (published !== undefined && statementDigest(published.statement) !== statementDigest(signed.statement)) {
      const detail = 'the log has another statement of this number than the one that was published';
      this.#fault({ fault: 'other-statement', statement: number, detail });
      return;
    }
    this.#statements.set(number, signed);
    this.#keep(signed);
  }

  /** Whoever has several installations may sign for all of them with one key: then it does not tell their logs apart. */
  #compareInstallation({ number, installation }: HeadsStatement): void {
    if (this.#installation === undefined || installation === this.#installation || this.#foreign.has(installation)) return;
    this.#foreign.add(installation);
    const whose = this.#header === undefined ? 'the statements before it are' : 'the file, by its first line, is';
    const detail = `it is of the installation ${installation}, and ${whose} of ${this.#installation}`;
    this.#fault({ fault: 'other-installation', statement: number, detail });
  }

  #judge(signed: SignedHeads): void {
    const { number } = signed.statement;
    if (!isSignedRightly(signed)) {
      this.#fault({ fault: 'bad-signature', statement: number, detail: 'the signature is not that of the statement' });
      return;
    }
    this.#keys.add(signed.publicKey);
    if (this.#trusted !== undefined && !this.#trusted.has(signed.publicKey)) {
      const detail = `it was signed with the key ${keyName(signed.publicKey)}, which is none of those that are trusted`;
      this.#fault({ fault: 'unknown-key', statement: number, detail });
    }
  }

  #keep({ statement: { number, heads } }: SignedHeads): void {
    for (const { streamId, version, hash: signed } of heads) {
      const ofStream = this.#heads.get(streamId) ?? new Map<number, SignedHead>();
      const known = ofStream.get(version);
      if (known !== undefined && known.hash !== signed) {
        const detail = `statement ${String(known.statement)} has another event there: the stream was written anew between the two`;
        this.#fault({ fault: 'rewritten', streamId, version, statement: number, detail });
      }
      ofStream.set(version, { hash: signed, statement: number });
      this.#heads.set(streamId, ofStream);
    }
  }

  #judgeFile(): void {
    if (this.#header === undefined) {
      this.#fault({
        fault: 'incomplete-file',
        detail: 'its first line, which says what is in it, is not there: is it a file of evidence?',
      });
      return;
    }
    for (const { streamId, version } of this.#header.streams) {
      const seen = this.#seen.get(streamId);
      if (seen?.spoilt === true || seen?.version === version) continue;
      const detail = `it is announced up to version ${String(version)}, and ends at ${String(seen?.version ?? 0)}`;
      this.#fault({ fault: 'incomplete-file', streamId, version: (seen?.version ?? 0) + 1, detail });
    }
    if (this.#end === undefined) {
      this.#fault({ fault: 'incomplete-file', detail: 'its last line is not there: it was cut off' });
    } else if (this.#end.events !== this.#events) {
      const detail = `it has ${String(this.#events)} events, and says that it has ${String(this.#end.events)}`;
      this.#fault({ fault: 'incomplete-file', detail });
    }
  }

  /** What was published has to be in the log, too; and who names a key wants to see what was signed with it. */
  #judgePublished(): void {
    if (this.#trusted !== undefined && this.#statements.size === 0) {
      this.#fault({ fault: 'missing-statement', detail: 'nothing of it is signed, with none of the keys that are trusted' });
    }
    const newest = this.#lastStatement?.statement.number ?? 0;
    for (const { statement } of this.given.published ?? []) {
      if (statement.number <= newest) continue;
      const detail = `it was signed at ${statement.signedAt} and published; the log has no more than ${String(newest)}`;
      this.#fault({ fault: 'missing-statement', statement: statement.number, detail });
    }
  }

  #judgeMissing(): number {
    let leftOut = 0;
    for (const [streamId, heads] of this.#heads) {
      if (this.#seen.has(streamId)) continue;
      if (this.given.partial === true) {
        leftOut++;
        continue;
      }
      const head = newestHead(heads);
      const detail = `its version ${String(head?.version)} was signed, and none of it is there`;
      this.#fault({ fault: 'missing-stream', streamId, ...(head === undefined ? {} : { statement: head.statement }), detail });
    }
    return leftOut;
  }

  #spoil(fault: EvidenceFault): void {
    if (this.#stream !== undefined) this.#stream.spoilt = true;
    this.#fault(fault);
  }

  #fault(fault: EvidenceFault): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(fault);
  }
}

/**
 * Whether the given hash is that of the text as it stands in the file, and of nothing else in it: in a line that a reader would take for more than was hashed (a name twice, something beside the event) two readers
 * may see two things.
 */
function isHashed(previous: string, line: Buffer, given: string): boolean {
  const begins = line.toString('latin1', 0, EVENT_AT) === `${BEFORE_HASH}${given}${BEFORE_EVENT}`;
  return begins && eventHash(previous, line.subarray(EVENT_AT, line.length - 1)) === given;
}

function newestHead(heads: ReadonlyMap<number, SignedHead> | undefined): (SignedHead & { readonly version: number }) | undefined {
  let newest: (SignedHead & { readonly version: number }) | undefined;
  for (const [version, head] of heads ?? []) if (newest === undefined || version > newest.version) newest = { ...head, version };
  return newest;
}

function isHeader(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & EvidenceHeader {
  return value['systoleEvidence'] === 1 && typeof value['installation'] === 'string' && Array.isArray(value['streams']);
}

interface EventOfLine extends Readonly<Record<string, unknown>> {
  readonly streamId: string;
  readonly version: number;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
