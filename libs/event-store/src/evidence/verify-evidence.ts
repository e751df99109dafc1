import { eventHash, GENESIS_HASH } from '../chain/event-hash.js';
import type { EvidenceEnd, EvidenceHeader } from './evidence-file.js';
import type { EvidenceFault } from './evidence-fault.js';
import { EVIDENCE_STREAM } from './heads-log.js';
import { KnownStatements, newestOf, type SignedHead } from './known-statements.js';
import { linesOf } from './lines.js';
import { EPOCH_BEGAN, judgeDivergences, type Divergence, type Epoch } from './lost-tails.js';
import {
  isSignedHeads,
  isSignedRightly,
  keyName,
  NO_STATEMENT,
  statementDigest,
  type HeadsStatement,
  type SignedHeads,
} from './signed-heads.js';

export interface EvidenceVerdict {
  readonly intact: boolean;
  /** Whether all that is wrong is that the log lost its end, and tells of it: so it is after a restore of the database. */
  readonly restored: boolean;
  readonly events: number;
  readonly streams: number;
  /** Signed statements, those of the file and those that were given besides, each once. */
  readonly statements: number;
  /** When the newest of them that the file has was signed, by the clock of the program that did; undefined: nothing is signed. */
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

interface StreamSoFar {
  readonly streamId: string;
  version: number;
  /** Lower-case hexadecimal. */
  hash: string;
  /** Something is wrong with it: what follows says nothing more. */
  spoilt: boolean;
  /** Events since the newest head that was signed. */
  unsigned: number;
  /** Date of the first of these. */
  unsignedSince: string | undefined;
  /** Heads of which the file and a statement say the same. */
  readonly agreed: SignedHead[];
  /** Those that are not as statements say that were published, and are not in the file, in the order of their versions. */
  readonly contradicted: SignedHead[];
  readonly epochs: Epoch[];
}

class Verification {
  readonly #faults: EvidenceFault[] = [];
  readonly #statements = new KnownStatements();
  readonly #keys = new Set<string>();
  readonly #trusted: ReadonlySet<string> | undefined;
  readonly #seen = new Map<string, { readonly version: number; readonly spoilt: boolean }>();
  readonly #divergences: Divergence[] = [];
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
    for (const signed of given.published ?? []) this.#statements.take(signed.statement, 'published', this.#judge(signed));
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
    const leftOut = this.#judgeMissing();
    this.#judgePublished();
    const newest = this.#statements.newest();
    return {
      intact: this.#faults.length === 0,
      restored: this.#faults.length > 0 && this.#faults.every(({ fault }) => fault === 'lost-tail' || fault === 'lost-statements'),
      events: this.#events,
      streams: this.#seen.size,
      statements: this.#statements.size,
      ...(newest === undefined ? {} : { signedUntil: newest.signedAt }),
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
    if (streamId === EVIDENCE_STREAM) this.#statement(event);
    else this.#compareHeads(stream, given, event);
  }

  #compareHeads(stream: StreamSoFar, hash: string, event: EventOfLine): void {
    const { streamId, version } = event;
    stream.unsigned++;
    stream.unsignedSince ??= typeof event['occurredAt'] === 'string' ? event['occurredAt'] : undefined;
    if (event['type'] === EPOCH_BEGAN) stream.epochs.push(epochOf(event));
    for (const head of this.#statements.headsAt(streamId, version)) {
      const { statement, inFile } = head.by;
      if (head.hash === hash) {
        [stream.unsigned, stream.unsignedSince] = [0, undefined];
        stream.agreed.push(head);
      } else if (inFile) {
        const detail = 'it is not the event that was signed: the stream was written anew';
        this.#spoil({ fault: 'rewritten', streamId, version, statement: statement.number, detail });
        return;
      } else {
        // Perhaps the log tells of it further on.
        stream.contradicted.push(head);
      }
    }
  }

  #enterStream(streamId: string): void {
    this.#leaveStream();
    const again = this.#seen.has(streamId);
    const late = streamId === EVIDENCE_STREAM && this.#seen.size > 0;
    this.#stream = {
      ...{ streamId, version: 0, hash: GENESIS_HASH, spoilt: again, unsigned: 0, unsignedSince: undefined },
      ...{ agreed: [], contradicted: [], epochs: [] },
    };
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
    this.#countUnsigned(stream);
    if (spoilt) return;
    const beyond = this.#statements.headsOf(streamId).filter((head) => head.version > version);
    const cutOff = newestOf(beyond.filter(({ by }) => by.inFile));
    if (cutOff !== undefined) this.#fault(this.#cutTail(streamId, version, cutOff));
    else this.#diverges(stream, beyond);
  }

  #countUnsigned({ streamId, unsigned, unsignedSince }: StreamSoFar): void {
    if (unsigned === 0) return;
    this.#unsignedEvents += unsigned;
    this.#unsignedStreams.add(streamId);
    if (unsignedSince === undefined) return;
    if (this.#unsignedSince === undefined || unsignedSince < this.#unsignedSince) this.#unsignedSince = unsignedSince;
  }

  #cutTail(streamId: string, end: number, { version, by }: SignedHead): EvidenceFault {
    const exported = this.#header?.exportedAt;
    const when = exported === undefined ? '' : ` (the file was made at ${exported}; take one that is newer than what was signed)`;
    const detail = `version ${String(version)} was signed, and it ends at ${String(end)}${when}`;
    return { fault: 'cut-tail', streamId, version: end + 1, statement: by.statement.number, detail };
  }

  /** @param beyond heads behind its end that were published only */
  #diverges({ streamId, version: end, contradicted, agreed, epochs }: StreamSoFar, beyond: readonly SignedHead[]): void {
    const [first] = contradicted;
    const cutOff = newestOf(beyond);
    const detail = 'it is not the event that was signed and published: the stream was written anew';
    const otherwise: EvidenceFault | undefined =
      first === undefined
        ? cutOff && this.#cutTail(streamId, end, cutOff)
        : { fault: 'rewritten', streamId, version: first.version, statement: first.by.statement.number, detail };
    if (otherwise === undefined) return;
    this.#divergences.push({ streamId, otherwise, agreed, contradicted: [...contradicted, ...beyond], beyond: end + 1, epochs });
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
    const known = this.#statements.take(signed.statement, 'file', this.#judge(signed));
    for (const { streamId, version, hash } of signed.statement.heads) {
      const other = this.#statements.headsAt(streamId, version).find((head) => head.by.inFile && head.by !== known && head.hash !== hash);
      if (other === undefined) continue;
      const detail = `statement ${String(other.by.statement.number)} has another event there: the stream was written anew between the two`;
      this.#fault({ fault: 'rewritten', streamId, version, statement: number, detail });
    }
  }

  /** Whoever has several installations may sign for all of them with one key: then it does not tell their logs apart. */
  #compareInstallation({ number, installation }: HeadsStatement): void {
    if (this.#installation === undefined || installation === this.#installation || this.#foreign.has(installation)) return;
    this.#foreign.add(installation);
    const whose = this.#header === undefined ? 'the statements before it are' : 'the file, by its first line, is';
    const detail = `it is of the installation ${installation}, and ${whose} of ${this.#installation}`;
    this.#fault({ fault: 'other-installation', statement: number, detail });
  }

  /** @returns whether it counts: signed rightly, with a key that is trusted */
  #judge(signed: SignedHeads): boolean {
    const { number } = signed.statement;
    if (!isSignedRightly(signed)) {
      this.#fault({ fault: 'bad-signature', statement: number, detail: 'the signature is not that of the statement' });
      return false;
    }
    this.#keys.add(signed.publicKey);
    if (this.#trusted === undefined || this.#trusted.has(signed.publicKey)) return true;
    const detail = `it was signed with the key ${keyName(signed.publicKey)}, which is none of those that are trusted`;
    this.#fault({ fault: 'unknown-key', statement: number, detail });
    return false;
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
    const pasts = this.#statements.pasts(this.#installation);
    const past = new Set(pasts.flatMap((each) => each.statements));
    const found = judgeDivergences(this.#divergences, pasts);
    for (const fault of found) this.#fault(fault);
    const areLost = found.some(({ fault }) => fault === 'lost-statements');
    const newest = this.#lastStatement?.statement.number ?? 0;
    for (const known of this.#statements.publishedOnly()) {
      if (areLost && past.has(known)) continue;
      const { number, signedAt } = known.statement;
      const [fault, detail] =
        number <= newest
          ? (['other-statement', 'the log has another statement of this number than the one that was published'] as const)
          : (['missing-statement', `it was signed at ${signedAt} and published; the log has no more than ${String(newest)}`] as const);
      this.#fault({ fault, statement: number, detail });
    }
  }

  #judgeMissing(): number {
    let leftOut = 0;
    for (const streamId of this.#statements.streams()) {
      if (this.#seen.has(streamId)) continue;
      if (this.given.partial === true) {
        leftOut++;
        continue;
      }
      const heads = this.#statements.headsOf(streamId);
      const signed = newestOf(heads);
      if (signed === undefined) continue;
      const detail = `its version ${String(signed.version)} was signed, and none of it is there`;
      const otherwise: EvidenceFault = { fault: 'missing-stream', streamId, statement: signed.by.statement.number, detail };
      this.#divergences.push({ streamId, otherwise, agreed: [], contradicted: heads, beyond: 1, epochs: [] });
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

/** What the log says of having gone back. */
function epochOf({ version, data, occurredAt }: EventOfLine): Epoch {
  const told = isRecord(data) ? [data['reason'], ...(typeof data['by'] === 'string' ? [`shown by ${data['by']}`] : [])] : [];
  return { version, text: [occurredAt, ...told].filter((part) => typeof part === 'string').join(', ') };
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
