import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../canonical-json.js';
import type { StreamEnd } from '../read/streams.js';

/** What is said of the log at a moment, and signed. The statements of an installation are a chain of their own. */
export interface HeadsStatement {
  /** Of this shape. */
  readonly format: 1;
  /** Id of the installation whose log it is. */
  readonly installation: string;
  /** From 1, without gaps. */
  readonly number: number;
  /** {@link statementDigest} of the one before; 64 zeros in the first. */
  readonly previous: string;
  /** ISO 8601, by the clock of the program that signs. */
  readonly signedAt: string;
  /** The newest events of the streams that have grown since the statement before, in the order of their ids: those that are not named are where an earlier one says. */
  readonly heads: readonly StreamEnd[];
}

/** A statement, and who vouches for it. */
export interface SignedHeads {
  readonly statement: HeadsStatement;
  /** Of the Ed25519 key: SPKI in DER, base64. */
  readonly publicKey: string;
  /** Ed25519 over the UTF-8 of the statement's RFC 8785 JSON, base64. */
  readonly signature: string;
}

/** `previous` of the first statement. */
export const NO_STATEMENT = '0'.repeat(64);

/** SHA-256 of the statement's RFC 8785 JSON, lower-case hexadecimal. */
export function statementDigest(statement: HeadsStatement): string {
  return createHash('sha256').update(canonicalJson(statement), 'utf8').digest('hex');
}

/** @param key a private Ed25519 key */
export function signStatement(statement: HeadsStatement, key: KeyObject): SignedHeads {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { statement, publicKey, signature: sign(null, Buffer.from(canonicalJson(statement)), key).toString('base64') };
}

/** Whether the signature is that of the key which the statement brings along; whose key that is, is another question. */
export function isSignedRightly({ statement, publicKey, signature }: SignedHeads): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
    return (
      key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(canonicalJson(statement)), key, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

/** Names a public key (SPKI in DER, base64): SHA-256, the first 16 hexadecimal characters. */
export function keyName(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16);
}

/** Whether a value from elsewhere has the shape of signed heads. */
export function isSignedHeads(value: unknown): value is SignedHeads {
  if (!isRecord(value) || !isRecord(value['statement'])) return false;
  const { publicKey, signature, statement } = value;
  const { format, installation, number, previous, signedAt, heads } = statement;
  return (
    [publicKey, signature, installation, previous, signedAt].every((text) => typeof text === 'string') &&
    format === 1 &&
    Number.isSafeInteger(number) &&
    Array.isArray(heads) &&
    heads.every(
      (head) =>
        isRecord(head) && typeof head['streamId'] === 'string' && typeof head['hash'] === 'string' && Number.isSafeInteger(head['version']),
    )
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
