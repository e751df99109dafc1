import { describe, expect, it } from 'vitest';
import { makeSecret, signatureOf } from './signature.js';

describe('the signature of a message', () => {
  // The example that Standard Webhooks' own libraries are tested with.
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it('is that of Standard Webhooks', () => {
    expect(signatureOf(message, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('has one for each secret, and changes with all that is signed', () => {
    const [first, second] = signatureOf(message, [secret, makeSecret()]).split(' ');
    expect(first).toBe(signatureOf(message, [secret]));
    expect(second).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    for (const other of [{ id: 'msg_other' }, { timestamp: 1 }, { body: '{}' }])
      expect(signatureOf({ ...message, ...other }, [secret])).not.toBe(first);
  });

  it('is made with secrets of 32 bytes, each another one', () => {
    const secrets = [makeSecret(), makeSecret()];
    expect(new Set(secrets).size).toBe(2);
    for (const one of secrets) expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });
});
