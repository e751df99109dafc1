import type { components } from '@systole/api-client';
import { moment } from './moment.js';
import type { Paint } from './paint.js';

type Schemas = components['schemas'];
type Chosen = Omit<Schemas['WebhookPreviewDto'], 'dryRun'>;

/** What a webhook is for, in a line. */
export function describeWebhook({ name, url, clusters, audit, types, subjects, actor, severity, enabled }: Chosen): string {
  const what = [
    severity === 'wrong' ? 'what is wrong' : 'events',
    ...(clusters === undefined ? [] : [`of ${clusters.join(', ')}`]),
    ...(types === undefined ? [] : [`of the types ${types.join(', ')}`]),
    ...(subjects === undefined ? [] : [`about ${subjects.join(' and ')}`]),
    ...(actor === undefined ? [] : [`by ${actor}`]),
    ...(audit ? ["and the server's audit"] : []),
  ];
  return `${name}: ${what.join(' ')} to ${url}${enabled ? '' : ' (disabled)'}`;
}

/** A webhook and how it is, in some lines. */
export function renderWebhook(webhook: Schemas['WebhookDto']): readonly string[] {
  const {
    id,
    state,
    disabledReason,
    failingSince,
    attempts,
    lastError,
    nextAttemptAt,
    deliveredAt,
    position,
    behind,
    previousSecretUntil,
  } = webhook;
  return [
    describeWebhook(webhook),
    `  id          ${id}`,
    `  state       ${state}${disabledReason === undefined ? '' : `: ${disabledReason}`}`,
    `  position    ${String(position)}`,
    ...(behind === undefined ? [] : [`  behind      ${behindText(behind)}`]),
    ...(deliveredAt === undefined ? [] : [`  delivered   ${moment(deliveredAt)}`]),
    ...(failingSince === undefined
      ? []
      : [`  failing     since ${moment(failingSince)}, ${String(attempts)} attempts: ${lastError ?? ''}`]),
    ...(nextAttemptAt === undefined ? [] : [`  tried again ${moment(nextAttemptAt)}`]),
    ...(previousSecretUntil === undefined ? [] : [`  old secret  signs along until ${moment(previousSecretUntil)}`]),
  ];
}

function behindText({ events, more, ms }: NonNullable<Schemas['WebhookDto']['behind']>): string {
  if (events === 0) return more ? 'no event of those that were looked at; there are more' : 'nothing';
  const count = `${more ? 'at least ' : ''}${String(events)} event${events === 1 ? '' : 's'}`;
  return `${count}, the oldest ${String(Math.floor(ms / 1_000))} s old`;
}

/** An attempt in a line. */
export function renderDelivery(delivery: Schemas['WebhookDeliveryDto'], paint: Paint): readonly string[] {
  const { id, kind, outcome, at, eventType, streamId, version, attempt, status, error, durationMs } = delivery;
  const shown = outcome === 'failed' ? paint('red', outcome) : outcome === 'delivered' ? paint('green', outcome) : outcome;
  const what =
    eventType === undefined ? kind : `${eventType} ${streamId ?? ''}@${String(version ?? '')}${kind === 'event' ? '' : ` (${kind})`}`;
  const how = [
    ...(status === undefined ? [] : [String(status)]),
    ...(durationMs === undefined ? [] : [`${String(durationMs)} ms`]),
    ...(attempt > 1 ? [`attempt ${String(attempt)}`] : []),
    ...(error === undefined ? [] : [error]),
  ];
  return [`${moment(at)}  ${id}  ${shown}  ${what}${how.length === 0 ? '' : `: ${how.join(', ')}`}`];
}
