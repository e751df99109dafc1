import type { TokenHolder } from '../tokens/access-tokens.js';

/** The server's own stream: what was done to it, and who asked what of it, whatever the cluster. */
export const AUDIT_STREAM = 'server/audit';

/** Who asked, besides the actor of the event's envelope. */
export interface Asking {
  /** Absent where no valid token was shown. */
  readonly tokenId?: string;
  /** Whence; as far as the proxies before the server are trusted to say. */
  readonly address: string;
}

/** What was asked. */
export interface Asked extends Asking {
  readonly method: string;
  /** Without its parameters. */
  readonly path: string;
  /** Of the answer. */
  readonly status: number;
  /** Id or name of the cluster, as the path has it. */
  readonly cluster?: string;
}

/** Something that was done again and again, and has one entry for all of it. */
export interface Repeated {
  /** How often since the entry before it, this one included; absent: once. */
  readonly times?: number;
  /** ISO 8601: the first of those. */
  readonly since?: string;
}

interface Event<Type extends string, Data extends object> {
  readonly type: Type;
  readonly data: Data;
}

/** A program of the server began to work. */
export type ServerStarted = Event<
  'ServerStarted',
  {
    readonly program: string;
    readonly host: string;
    readonly pid: number;
    /** Those that are no secrets. */
    readonly settings: Readonly<Record<string, string | number | boolean>>;
  }
>;

/** It ended in order. One that was killed says nothing. */
export type ServerStopped = Event<'ServerStopped', { readonly program: string; readonly host: string; readonly pid: number }>;

/** Written with the event of the cluster's own stream, in its transaction. */
export type ClusterAdded = Event<'ClusterAdded', { readonly clusterId: string; readonly name: string }>;
export type ClusterRemoved = Event<'ClusterRemoved', { readonly clusterId: string }>;

/** Written with the token, in its transaction. */
export type TokenIssued = Event<'TokenIssued', TokenHolder & { readonly tokenId: string; readonly name: string; readonly reason?: string }>;
export type TokenWithdrawn = Event<'TokenWithdrawn', { readonly tokenId: string; readonly reason?: string }>;

/** Written with the webhook, in its transaction. Of its address without what may be a secret. */
export type WebhookCreated = Event<
  'WebhookCreated',
  { readonly webhookId: string; readonly name: string; readonly url: string; readonly reason?: string }
>;
export type WebhookChanged = Event<
  'WebhookChanged',
  { readonly webhookId: string; readonly name: string; readonly fields: readonly string[]; readonly reason?: string }
>;
export type WebhookDeleted = Event<'WebhookDeleted', { readonly webhookId: string; readonly name: string; readonly reason?: string }>;

/** The server sends nothing to it any more, until somebody enables it again. */
export type WebhookDisabled = Event<'WebhookDisabled', { readonly webhookId: string; readonly name: string; readonly reason: string }>;

/** What was kept for long enough was thrown away. */
export type KeptRowsPurged = Event<
  'KeptRowsPurged',
  {
    /** How many, by table. */
    readonly rows: Readonly<Record<string, number>>;
  }
>;

/** An operator's request that changes something was carried out; its correlation id is that of the events which it led to. */
export type RequestCarriedOut = Event<'RequestCarriedOut', Asked>;

/** A request was refused: not authenticated, not allowed, too many, or for a cluster that is not there for whoever asked. */
export type RequestRefused = Event<
  'RequestRefused',
  Asked & Repeated & { /** Last part of the problem's type. */ readonly problem: string }
>;

/** Somebody read what may hold secrets: configurations, and the events that carry them. */
export type ConfigurationRead = Event<'ConfigurationRead', Asked & Repeated>;

/** Somebody who may was shown the values of secrets. Each time. */
export type SecretsRead = Event<'SecretsRead', Asked>;

/** What there was no room for. */
export type EntriesLeftOut = Event<
  'EntriesLeftOut',
  {
    readonly program: string;
    /** ISO 8601: the first. */
    readonly since: string;
    /** How many, by what they would have been. */
    readonly entries: Readonly<Record<string, number>>;
  }
>;

/** What the audit stream holds. */
export type AuditEvent =
  | ServerStarted
  | ServerStopped
  | ClusterAdded
  | ClusterRemoved
  | TokenIssued
  | TokenWithdrawn
  | WebhookCreated
  | WebhookChanged
  | WebhookDeleted
  | WebhookDisabled
  | KeptRowsPurged
  | RequestCarriedOut
  | RequestRefused
  | ConfigurationRead
  | SecretsRead
  | EntriesLeftOut;

/** Every type of entry that there is. */
export const AUDIT_TYPES: readonly string[] = Object.keys({
  ServerStarted: true,
  ServerStopped: true,
  ClusterAdded: true,
  ClusterRemoved: true,
  TokenIssued: true,
  TokenWithdrawn: true,
  WebhookCreated: true,
  WebhookChanged: true,
  WebhookDeleted: true,
  WebhookDisabled: true,
  KeptRowsPurged: true,
  RequestCarriedOut: true,
  RequestRefused: true,
  ConfigurationRead: true,
  SecretsRead: true,
  EntriesLeftOut: true,
} satisfies Record<AuditEvent['type'], true>);

/** What an entry concerns, as the filters of the audit ask for it. */
export function auditSubjects({ data }: AuditEvent): readonly string[] {
  const named = ['tokenId', 'webhookId', 'address', 'cluster', 'clusterId', 'name', 'node', 'program', 'host'] as const;
  const fields: Readonly<Record<string, unknown>> = { ...data };
  return [...new Set(named.map((name) => fields[name]).filter((value) => typeof value === 'string' && value !== ''))] as string[];
}
