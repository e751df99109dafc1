export type { Appending } from './append/append-batch.js';
export { canonicalJson } from './canonical-json.js';
export { UnusableArchive } from './archive/archive-files.js';
export type { ArchiveManifest } from './archive/archive-manifest.js';
export { readArchive, type ArchivedRange } from './archive/read-archive.js';
export { verifyArchive, type ArchiveFault, type ArchiveVerdict } from './archive/verify-archive.js';
export { writeArchive, type Archiving } from './archive/write-archive.js';
export type { ChainFault, ChainVerdict, KnownHead } from './chain/verify-chain.js';
export { checkConnections, checked, type ConnectionCheck } from './connection-check.js';
export {
  InvalidEvent,
  missingText,
  SchemaMissing,
  storeError,
  StoreUnavailable,
  TransactionMustRestart,
  UnknownPosition,
  UnknownSchemaVersion,
  VersionConflict,
  type StoreTrouble,
} from './errors.js';
export type {
  AppendMeta,
  AppendResult,
  DomainEvent,
  EventEnvelope,
  EventsOfOne,
  ExpectedVersion,
  NewEvent,
  RecordedEvent,
} from './event.js';
export {
  EventStore,
  READ_ON_AT_ONCE,
  type EventStoreOptions,
  type ReadOn,
  type ReadingOn,
  type StreamRange,
  type SubscriptionStart,
} from './event-store.js';
export { evidenceLines, type EvidenceHeader } from './evidence/evidence-file.js';
export { GENESIS_HASH } from './chain/event-hash.js';
export { EVIDENCE_STREAM, HeadSigning, readStatements, type HeadsSigned } from './evidence/heads-log.js';
export type { EvidenceFault, EvidenceFaultKind } from './evidence/evidence-fault.js';
export { isSignedHeads, statementDigest, keyName, type HeadsStatement, type SignedHeads } from './evidence/signed-heads.js';
export { makeSigningKey, readPublicKey, readSigningKey, UnusableKey } from './evidence/signing-key.js';
export { verifyEvidence, type EvidenceToVerify, type EvidenceVerdict } from './evidence/verify-evidence.js';
export { beginWhenConnectionsAreFree, type WaitingForConnections } from './free-connections.js';
export { CONNECTION_LIMITS, limitedPool, PATIENCE, type LimitedPoolOptions } from './limited-pool.js';
export type { Subscription } from './feed/subscription.js';
export { EventTail, type EventTailOptions, type PlaceInLog, type TailPage } from './feed/event-tail.js';
export type { AcrossQuery, PlaceAcross } from './read/query-across.js';
export type { EventFilter, EventQuery, GlobalQuery, StreamQuery, SubjectFilter } from './read/query-events.js';
export { matchesFilter } from './read/matches-filter.js';
export type { StreamHead } from './read/read-stream.js';
export { Batch } from './postgres/batch.js';
export { AppendReports } from './feed/append-reports.js';
export { inTransaction, inTwoTrips } from './postgres/transaction.js';
export { jsonWeight } from './snapshots/json-pieces.js';
export { isSnapshotRecords, type RefusedSnapshot, type Snapshot, type StoredSnapshot } from './snapshots/snapshots.js';
export { readStreamEnds, type StreamEnd } from './read/streams.js';
export { type Upcast, Upcasters, type UpcasterSteps } from './upcasters.js';
export { isOfServer } from './stream-names.js';
