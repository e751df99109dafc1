import type { Behind, Webhook, WebhookDelivery, WebhookWithProgress } from '@systole/webhooks';
import type { WebhookDeliveryDto, WebhookDto, WebhookPreviewDto } from './webhooks.dto.js';

type Chosen = Pick<
  Webhook,
  'name' | 'url' | 'clusters' | 'audit' | 'types' | 'subjects' | 'actor' | 'severity' | 'authorities' | 'enabled'
>;

/** A webhook as the API shows it: never its secret. */
export function webhookDto({ webhook, progress }: WebhookWithProgress, behind?: Behind): Pick<WebhookDto, keyof WebhookDto> {
  const { id, enabled, disabledReason, previousUntil, createdBy, createdAt } = webhook;
  const { position, attempts, nextAttemptAt, failingSince, deliveredAt, lastError } = progress;
  return {
    id,
    ...chosen(webhook),
    state: !enabled ? 'disabled' : failingSince === null ? 'delivering' : 'failing',
    ...given('disabledReason', disabledReason),
    position,
    ...given('behind', behind ?? null),
    attempts,
    ...moment('nextAttemptAt', nextAttemptAt),
    ...moment('failingSince', failingSince),
    ...moment('deliveredAt', deliveredAt),
    ...given('lastError', lastError),
    ...(previousUntil === null || previousUntil.getTime() <= Date.now() ? {} : moment('previousSecretUntil', previousUntil)),
    createdBy,
    createdAt: createdAt.toISOString(),
  };
}

/** A webhook as it would be. */
export function webhookPreview(webhook: Chosen, change: Partial<Chosen> = {}): WebhookPreviewDto {
  return { dryRun: true, ...chosen(Object.assign({}, webhook, change)) };
}

export function deliveryDto(delivery: WebhookDelivery): WebhookDeliveryDto {
  const { id, kind, outcome, messageId, position, streamId, version, eventType, attempt, status, error, answer, durationMs, at } = delivery;
  return {
    ...{ id, kind, outcome },
    ...given('messageId', messageId),
    ...given('position', position),
    ...given('streamId', streamId),
    ...given('version', version),
    ...given('eventType', eventType),
    attempt,
    ...given('status', status),
    ...given('error', error),
    ...given('answer', answer === '' ? null : answer),
    ...given('durationMs', durationMs),
    at: at.toISOString(),
  };
}

function chosen({ name, url, clusters, audit, types, subjects, actor, severity, authorities, enabled }: Chosen) {
  return {
    ...{ name, url },
    ...given('clusters', clusters),
    audit,
    ...given('types', types),
    ...given('subjects', subjects),
    ...given('actor', actor),
    severity,
    ...given('authorities', authorities),
    enabled,
  };
}

function given<Name extends string, T>(name: Name, value: T | null): Readonly<Partial<Record<Name, T>>> {
  return (value === null ? {} : { [name]: value }) as Partial<Record<Name, T>>;
}

function moment<Name extends string>(name: Name, value: Date | null): Readonly<Partial<Record<Name, string>>> {
  return given(name, value === null ? null : value.toISOString());
}
