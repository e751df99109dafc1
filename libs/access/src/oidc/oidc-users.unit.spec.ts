import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IssuerUnreachable, OidcUsers } from './oidc-users.js';

const MINUTE_MS = 60_000;
const issuer = 'https://issuer.example';

describe("users of an issuer that can't be asked", () => {
  let server: Server;
  let isAway: boolean;
  let key: CryptoKey;
  let users: OidcUsers;
  const troubles: string[] = [];
  let passed: number;
  const begin = Date.now();

  const pass = (minutes: number): void => {
    passed += minutes * MINUTE_MS;
    vi.setSystemTime(begin + passed);
  };
  const token = (kid = 'k1'): Promise<string> =>
    new SignJWT({ roles: ['viewer'], name: 'ann' })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(issuer)
      .setAudience('systole')
      .setSubject('ann')
      .setExpirationTime(Math.floor(begin / 1_000) + 86_400)
      .sign(key);

  beforeEach(async () => {
    [isAway, passed] = [false, 0];
    troubles.length = 0;
    vi.useFakeTimers({ toFake: ['Date'] });
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' };
    server = createServer((_, response) => {
      response.writeHead(isAway ? 502 : 200).end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const keysUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    users = new OidcUsers(
      { issuer, audience: 'systole', keysUrl, roleClaim: 'roles', nameClaim: 'name', clockSkewS: 0 },
      ({ message }) => troubles.push(message),
      () => passed,
    );
  });
  afterEach(() => {
    vi.useRealTimers();
    server.close();
  });

  it('are let in by its last keys for an hour, and no longer', async () => {
    await users.verify(await token());
    isAway = true;
    for (const minutes of [11, 11, 11, 11]) {
      pass(minutes);
      expect((await users.verify(await token())).principal.actor).toBe('oidc:ann');
    }
    expect(troubles).toHaveLength(4);
    expect(troubles[0]).toMatch(/it answers 502/);
    pass(17);
    await expect(users.verify(await token())).rejects.toThrow(IssuerUnreachable);
    isAway = false;
    expect((await users.verify(await token())).principal.actor).toBe('oidc:ann');
  });

  it('are not told that the issuer lacks a key that it may have by now', async () => {
    await users.verify(await token());
    isAway = true;
    pass(11);
    await expect(users.verify(await token('k2'))).rejects.toThrow(IssuerUnreachable);
    isAway = false;
    pass(1);
    await expect(users.verify(await token('k2'))).rejects.toThrow(/a key that .* does not have/);
  });

  it('are not let in before it was asked once', async () => {
    isAway = true;
    await expect(users.verify(await token())).rejects.toThrow(IssuerUnreachable);
  });
});
