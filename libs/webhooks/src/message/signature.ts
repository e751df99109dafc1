import { createHmac, randomBytes } from 'node:crypto';

/** Before a secret, as Standard Webhooks has it; what follows is base64. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** What is signed. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Value of `webhook-signature` (standardwebhooks.com, version 1 of its signatures: HMAC-SHA256 over `id.timestamp.body`), with one signature for each secret.
 *
 * @param secrets at least one
 */
export function signatureOf({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const signed = `${id}.${String(timestamp)}.${body}`;
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed, 'utf8').digest('base64')}`).join(' ');
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}
