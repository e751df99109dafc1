import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { canonicalJson } from '../canonical-json.js';
import { isSignedHeads, isSignedRightly, keyName } from './signed-heads.js';

/** The lines of the JSON examples in the guide. */
const lines = [...readFileSync(new URL('../../../../docs/guide/evidence.md', import.meta.url), 'utf8').matchAll(/```text\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((text) => ({ text, value: JSON.parse(text) as Readonly<Record<string, unknown>> }));

it('the hashes of the guide are those of its events, as it says how to compute them', () => {
  const events = lines.filter(({ value }) => 'event' in value);
  expect(events).toHaveLength(2);
  let previous = Buffer.alloc(32);
  for (const { text, value } of events) {
    const document = text.slice(text.indexOf('"event":') + '"event":'.length, -1);
    expect(canonicalJson(value['event'])).toBe(document);
    const hash = createHash('sha256').update(previous).update(document, 'utf8').digest();
    expect(hash.toString('hex')).toBe(value['hash']);
    previous = hash;
  }
});

it('the signature of the guide is that of its statement, which names the last event', () => {
  const signed = lines.at(-1)?.value;
  if (!isSignedHeads(signed)) throw new Error('the guide has no signed heads');
  expect(signed.statement.heads[0]?.hash).toBe(lines[1]?.value['hash']);
  const key = createPublicKey({ key: Buffer.from(signed.publicKey, 'base64'), type: 'spki', format: 'der' });
  expect(verify(null, Buffer.from(canonicalJson(signed.statement)), key, Buffer.from(signed.signature, 'base64'))).toBe(true);
  expect(isSignedRightly(signed)).toBe(true);
  expect(isSignedRightly({ ...signed, statement: { ...signed.statement, number: 2 } })).toBe(false);
  expect(keyName(signed.publicKey)).toMatch(/^[0-9a-f]{16}$/);
});
