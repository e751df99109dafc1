import { AUDIT_STREAM } from '@systole/access';
import { describeEvent, type ClusterEvent } from '@systole/cluster';
import { isOfServer, matchesFilter, type EventFilter, type RecordedEvent } from '@systole/event-store';
import { subjectFilter } from '@systole/read-models';
import type { Webhook } from '../entities/webhook.entity.js';

/** What of a webhook says which events it is for. */
export type Wanted = Pick<Webhook, 'clusters' | 'audit' | 'types' | 'subjects' | 'actor' | 'severity'>;

/** Entries of the audit that tell of something wrong. */
const WRONG_IN_AUDIT: ReadonlySet<string> = new Set(['RequestRefused', 'EntriesLeftOut', 'WebhookDisabled']);

/** Whether events are for a webhook. */
export class WebhookFilter {
  readonly #clusters: ReadonlySet<string> | undefined;
  readonly #filter: EventFilter;

  constructor(private readonly wanted: Wanted) {
    const { clusters, types, subjects, actor } = wanted;
    this.#clusters = clusters === null ? undefined : new Set(clusters);
    this.#filter = {
      ...(types === null ? {} : { types }),
      ...(subjects === null ? {} : { subjects: subjects.map((subject) => subjectFilter(subject)) }),
      ...(actor === null ? {} : { actor }),
    };
  }

  lets(event: RecordedEvent): boolean {
    return this.#isOfStream(event.streamId) && matchesFilter(event, this.#filter) && (this.wanted.severity === 'any' || isWrong(event));
  }

  #isOfStream(streamId: string): boolean {
    if (streamId === AUDIT_STREAM) return this.wanted.audit;
    // What else the server keeps for itself is nobody's news.
    return !isOfServer(streamId) && (this.#clusters === undefined || this.#clusters.has(streamId));
  }
}

/** Whether an event tells of something wrong: what is shown in red where events are listed. */
export function isWrong({ streamId, type, data, actor }: RecordedEvent): boolean {
  if (isOfServer(streamId)) return WRONG_IN_AUDIT.has(type);
  const event: { readonly type: string; readonly data: object } = { type, data };
  return describeEvent(event as ClusterEvent, actor).mood === 'bad';
}
