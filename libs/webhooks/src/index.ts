export { behindText, webhookLag, type Behind, type WebhookLag } from './behind.js';
export { WebhookDispatcher, type DispatcherOptions } from './delivery/webhook-dispatcher.js';
export type { Delivering } from './delivery/webhook-turn.js';
export { dataSourceOn } from './entities/shared-pool-data-source.js';
export { WebhookDelivery } from './entities/webhook-delivery.entity.js';
export { WebhookProgress } from './entities/webhook-progress.entity.js';
export { Webhook, type Severity } from './entities/webhook.entity.js';
export { OPEN_BOX, type SecretBox } from './message/secret-box.js';
export { makeSecret, signatureOf } from './message/signature.js';
export { AddressPolicy, addressRulesFrom, InvalidAddressRule, type AddressRules } from './sending/address-policy.js';
export { mistakeIn } from './sending/receiver-url.js';
export {
  MOST_WEBHOOKS,
  shownUrl,
  Webhooks,
  type WebhookChange,
  type WebhookChanger,
  type WebhookDraft,
  type WebhookWithProgress,
} from './webhooks.js';
