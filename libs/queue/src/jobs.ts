/** Move a cluster forward: fold its stream, and plan or drive its transition. */
export interface AdvanceJob {
  readonly clusterId: string;
}

/** Something becomes due for a cluster. Timers are derived from the stream: firing twice, or for something obsolete, must be harmless. */
export interface TimerJob {
  readonly clusterId: string;
  /** What becomes due, in the consumer's vocabulary, e.g. `recheck` or `action-timeout`. */
  readonly kind: string;
  /** Names the timer: at most one of a key is outstanding. Unique over all clusters, so begin it with the cluster's id. */
  readonly key: string;
  /** When it is due, epoch ms. */
  readonly at: number;
}

/** A webhook is to be looked at: somebody asked for something, or its receiver is to be tried again. Handlers return at once. */
export interface WebhookJob {
  readonly webhookId: string;
  /** When, epoch ms. */
  readonly at: number;
}

export type JobName = 'advance' | 'timer' | 'webhook';
export type JobData = AdvanceJob | TimerJob | WebhookJob;

/** A stored job as the consumer acts on it. */
export type QueuedJob =
  | { readonly name: 'advance'; readonly data: AdvanceJob }
  | { readonly name: 'timer'; readonly data: TimerJob }
  | { readonly name: 'webhook'; readonly data: WebhookJob };

/** The deduplication identity of a cluster's advance job. */
export const advanceIdentity = (clusterId: string): string => `advance:${clusterId}`;

/** The deduplication identity of a timer. */
export const timerIdentity = (key: string): string => `timer:${key}`;

/** The deduplication identity of a webhook's job. */
export const webhookIdentity = (webhookId: string): string => `webhook:${webhookId}`;

/** A stored job that this version cannot read; running it again would not help. */
export class UnreadableJob extends Error {
  override readonly name = 'UnreadableJob';
}

/**
 * Reads what the backend stored, which another version may have written.
 * @throws UnreadableJob naming the field at fault
 */
export function readJob(name: string, data: unknown): QueuedJob {
  const fields = asRecord(name, data);
  switch (name) {
    case 'advance':
      return { name, data: { clusterId: text(name, fields, 'clusterId') } };
    case 'timer':
      return {
        name,
        data: {
          clusterId: text(name, fields, 'clusterId'),
          kind: text(name, fields, 'kind'),
          key: text(name, fields, 'key'),
          at: epochMs(name, fields, 'at'),
        },
      };
    case 'webhook':
      return { name, data: { webhookId: text(name, fields, 'webhookId'), at: epochMs(name, fields, 'at') } };
    default:
      throw new UnreadableJob(`queued job has the unknown name ${JSON.stringify(name)}; was it written by a newer version?`);
  }
}

/**
 * Refuses what could not be read back, before it is stored.
 * @throws UnreadableJob naming the field at fault
 */
export function checkedJob(name: JobName, data: JobData): QueuedJob {
  return readJob(name, data);
}

function asRecord(name: string, data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) throw new UnreadableJob(`job ${name} carries no object`);
  return { ...data };
}

function text(name: string, fields: Readonly<Record<string, unknown>>, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || value === '') throw new UnreadableJob(`job ${name}: ${field} must be a non-empty string`);
  return value;
}

function epochMs(name: string, fields: Readonly<Record<string, unknown>>, field: string): number {
  const value = fields[field];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new UnreadableJob(`job ${name}: ${field} must be a time in epoch ms`);
  return value;
}
