import { isOfServer, type RecordedEvent } from '@systole/event-store';

/** Something to be sent. */
export interface Message {
  /** `webhook-id`: names the event, whenever and however often it is sent. */
  readonly id: string;
  readonly body: string;
}

/** Bodies are no longer, in bytes; what is of a longer event is said instead of its data. */
const MOST_BODY_BYTES = 256 * 1024;

/** Characters of the event's hash in the id of its message. */
const ID_HASH = 32;

/** `webhook-id` of an event's message: a log that was restored and went on otherwise has other ones. */
export function messageIdOf({ hash }: Pick<RecordedEvent, 'hash'>): string {
  return `evt_${hash.slice(0, ID_HASH)}`;
}

/** An event as a receiver gets it: `type`, `timestamp` and `data` as Standard Webhooks has them, `data` as the audit shows entries. @param clusterName of the cluster that it is of, as far as it is known */
export function eventMessage(event: RecordedEvent, clusterName: string | undefined): Message {
  const { streamId, version, globalPosition, type, data, subjects, actor, command, correlationId, causationId, occurredAt, hash } = event;
  const entry = {
    ...{ streamId, version, globalPosition, type, subjects, actor, command, correlationId },
    ...(causationId === undefined ? {} : { causationId }),
    ...{ occurredAt, hash },
    ...(clusterName === undefined ? {} : { clusterName }),
  };
  const body = JSON.stringify({ type, timestamp: occurredAt, data: { ...entry, data } });
  const bytes = Buffer.byteLength(body);
  if (bytes <= MOST_BODY_BYTES) return { id: messageIdOf(event), body };
  const left = isOfServer(streamId)
    ? { omitted: true, bytes }
    : { omitted: true, bytes, readItAt: `/v1/clusters/${streamId}/events/${String(version)}` };
  return { id: messageIdOf(event), body: JSON.stringify({ type, timestamp: occurredAt, data: { ...entry, data: left } }) };
}

/** A message that only tries whether the receiver answers. @param at ISO 8601 */
export function testMessage(deliveryId: string, webhookName: string, at: string): Message {
  return { id: `test_${deliveryId}`, body: JSON.stringify({ type: 'WebhookTest', timestamp: at, data: { webhook: webhookName } }) };
}
