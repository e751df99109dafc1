import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** An OpenID provider of the test's own. */
class Issuer {
  readonly keys: JWK[] = [];
  /** How often its keys were asked for. */
  asked = 0;
  away = false;
  /** Whether what is at the address of its keys is something else. */
  keyless = false;
  readonly #pairs = new Map<string, Pair>();
  /** Too short to be trusted; some providers still publish such a key. */
  readonly #short = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  #server: Server | undefined;

  get url(): string {
    return `http://127.0.0.1:${String((this.#server?.address() as AddressInfo).port)}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      if (this.away) {
        response.writeHead(500).end();
        return;
      }
      if (request.url === '/keys') this.asked += 1;
      const answer =
        request.url === '/keys' ? (this.keyless ? {} : { keys: this.keys }) : { issuer: this.url, jwks_uri: `${this.url}/keys` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    await this.newKey('one');
    this.keys.push({ ...(this.#short.publicKey.export({ format: 'jwk' }) as JWK), kid: 'short', alg: 'RS256' });
    // A point that is not on the curve.
    this.keys.push({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA', kid: 'broken', alg: 'ES256' });
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async newKey(kid: string, published = true): Promise<void> {
    const pair = await generateKeyPair('ES256');
    this.#pairs.set(kid, pair);
    if (published) this.keys.push({ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256' });
  }

  /** @param claims instead of, or besides, those of a valid token */
  token(claims: Readonly<Record<string, unknown>> = {}, kid = 'one', typ?: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: this.url,
      aud: 'systole',
      sub: 'alice',
      role: 'operator',
      clusters: ['mine'],
      iat: now,
      exp: now + 600,
      ...claims,
    };
    const pair = this.#pairs.get(kid);
    if (pair === undefined) throw new Error(`no key ${kid}`);
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid, ...(typ === undefined ? {} : { typ }) }).sign(pair.privateKey);
  }

  /** A token that names a key with which nobody can verify it; signed with it all the same, or not at all. */
  async unverifiable(kid: 'short' | 'broken', signature?: Buffer): Promise<string> {
    const head = Buffer.from(JSON.stringify({ alg: kid === 'short' ? 'RS256' : 'ES256', kid })).toString('base64url');
    const text = `${head}.${(await this.token()).split('.')[1] ?? ''}`;
    return `${text}.${(signature ?? sign('RSA-SHA256', Buffer.from(text), this.#short.privateKey)).toString('base64url')}`;
  }
}

const issuer = new Issuer();
let under: ApiUnderTest;

beforeAll(async () => {
  await issuer.start();
  under = await apiUnderTest({
    limits: { wrongTokens: { perSecond: 1_000, burst: 1_000 } },
    oidc: {
      ...{ issuer: issuer.url, audience: 'systole', roleClaim: 'role', clustersClaim: 'clusters', secretsClaim: 'secrets' },
      ...{ nameClaim: 'sub', clockSkewS: 30 },
    },
  });
  await under.cluster('mine', CIB);
  await under.cluster('others', CIB);
});
afterAll(async () => {
  await under.close();
  issuer.stop();
});

async function statusWith(token: string, path = '/v1/clusters/mine/status'): Promise<Answer> {
  return under.call('GET', path, { token });
}

describe('users of an OpenID provider', () => {
  it('do what their role allows, in their clusters, under their own name', async () => {
    const token = await issuer.token();
    expect((await statusWith(token)).status).toBe(200);
    expect((await statusWith(token, '/v1/clusters/others/status')).status).toBe(404);
    const { items } = (await statusWith(token, '/v1/clusters')).json as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toEqual(['mine']);
    expect((await statusWith(token, '/v1/tokens')).json['type']).toContain('role-too-low');
    const moved = await under.call('POST', '/v1/clusters/mine/nodes/n1/commands/standby', { token, body: {} });
    expect(moved.status).toBe(200);
    const events = await statusWith(token, '/v1/clusters/mine/events?actor=oidc:alice');
    expect((events.json as { items: unknown[] }).items).toHaveLength(1);
    const admin = await issuer.token({ role: ['viewer', 'admin'], clusters: ['*'], secrets: true });
    const body = { role: 'viewer', name: 'made-by-a-user', seesSecrets: true };
    const made = await under.call('POST', '/v1/tokens', { token: admin, body });
    expect(made.json).toMatchObject({ createdBy: 'oidc:alice', seesSecrets: true });
  });

  it('are told which check failed, and nothing else', async () => {
    const now = Math.floor(Date.now() / 1_000);
    await issuer.newKey('secret', false);
    const good = await issuer.token();
    const [head = '', , signature = ''] = good.split('.');
    const forged = `${head}.${Buffer.from(JSON.stringify({ iss: issuer.url, aud: 'systole', sub: 'eve', role: 'admin', exp: now + 60 })).toString('base64url')}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1] ?? ''}.eA`;
    for (const [token, status, says] of [
      [await issuer.token({ exp: now - 31 }), 401, /expired/],
      [await issuer.token({ nbf: now + 40 }), 401, /not valid yet/],
      [await issuer.token({ iss: 'https://elsewhere' }), 401, /of another issuer/],
      [await issuer.token({ aud: 'another-service' }), 401, /for others than systole/],
      [await issuer.token({ exp: undefined }), 401, /no claim exp/],
      [await issuer.token({ sub: 'a\u0007b' }), 401, /is no name/],
      [await issuer.token({ typ: 'Logout' }), 401, /for something else/],
      [await issuer.token({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }), 401, /for something else/],
      [await issuer.token({}, undefined, 'logout+jwt'), 401, /for something else/],
      [await issuer.token({ exp: 1e300 }), 401, /\(exp\) is no time/],
      [await issuer.token({}, 'secret'), 401, /signed with a key that/],
      [forged, 401, /signature .* does not hold/],
      [unsigned, 401, /signed in a way/],
      [
        `${Buffer.from('{"alg":"RS256","crit":["x"],"x":1}').toString('base64url')}.${good.split('.')[1] ?? ''}.eA`,
        401,
        /asks for what is not done here/,
      ],
      [await issuer.token({ role: 'root' }), 403, /gives no role: its claim role/],
      [await issuer.token({ role: undefined }), 403, /gives no role/],
    ] as const) {
      const answer = await statusWith(token);
      expect([answer.status, answer.json['detail']]).toEqual([status, expect.stringMatching(says)]);
      expect(answer.text).not.toContain(token.slice(-20));
    }
    expect((await statusWith(await issuer.token({ exp: now - 20 }))).status).toBe(200);
    expect((await statusWith(await issuer.token({ clusters: undefined }))).status).toBe(404);
    for (const type of ['JWT', 'at+jwt']) expect((await statusWith(await issuer.token({}, undefined, type))).status).toBe(200);
  });

  it('are refused, and counted, where the key that their token names is of no use: the provider is there', async () => {
    const fresh = await apiUnderTest({
      limits: { wrongTokens: { perSecond: 0.01, burst: 3 } },
      oidc: { issuer: issuer.url, audience: 'systole', roleClaim: 'role', nameClaim: 'sub', clockSkewS: 30 },
    });
    try {
      for (const token of [
        await issuer.unverifiable('short'),
        await issuer.unverifiable('short', Buffer.alloc(128)),
        await issuer.unverifiable('broken', Buffer.alloc(64)),
      ]) {
        const answer = await fresh.call('GET', '/v1/clusters', { token });
        expect([answer.status, answer.json['detail']]).toEqual([401, expect.stringMatching(/^the key of .* names can not be used: /)]);
      }
      const often = await fresh.call('GET', '/v1/clusters', { token: await issuer.unverifiable('short') });
      expect([often.status, often.json['type']]).toEqual([429, 'https://systole.dev/problems/too-many-wrong-tokens']);
      expect((await fresh.call('GET', '/v1/clusters', { token: await issuer.token() })).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });

  it('are told to the audit by who they are, also where they have no role here', async () => {
    const token = await issuer.token({ sub: 'norole', role: undefined });
    expect((await statusWith(token, '/v1/clusters')).status).toBe(403);
    const refused = async (): Promise<unknown> =>
      (
        (await under.call('GET', '/v1/audit?type=RequestRefused&actor=oidc:norole')).json['items'] as readonly { readonly data: unknown }[]
      )[0]?.data;
    await expect
      .poll(refused, { timeout: 5_000 })
      .toMatchObject({ problem: 'no-role', tokenId: expect.stringMatching(/^oidc-/) as string, path: '/v1/clusters' });
  });

  it('are known by keys that are fetched once, and again when a new one is used', async () => {
    await statusWith(await issuer.token());
    const before = issuer.asked;
    for (let times = 0; times < 5; times++) expect((await statusWith(await issuer.token())).status).toBe(200);
    expect(issuer.asked).toBe(before);
    await issuer.newKey('two');
    // The issuer is not asked at each unknown key.
    await expect.poll(async () => (await statusWith(await issuer.token({}, 'two'))).status, { timeout: 15_000, interval: 1_000 }).toBe(200);
    expect(issuer.asked - before).toBeLessThanOrEqual(2);
  });

  it('have their streams ended with their token', async () => {
    const token = await issuer.token({ exp: Math.floor(Date.now() / 1_000) - 28 });
    const begun = Date.now();
    const stream = under.call('GET', '/v1/clusters/mine/events/stream', { token });
    await expect(stream).rejects.toThrow();
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  it('wait for a provider that is away; tokens of the server do not', async () => {
    issuer.away = true;
    const fresh = await apiUnderTest({
      oidc: { issuer: issuer.url, audience: 'systole', roleClaim: 'role', nameClaim: 'sub', clockSkewS: 30 },
    });
    try {
      const answer = await fresh.call('GET', '/v1/clusters', { token: await issuer.token() });
      expect([answer.status, answer.json['type']]).toEqual([503, 'https://systole.dev/problems/issuer-unreachable']);
      issuer.away = false;
      issuer.keyless = true;
      const keyless = await fresh.call('GET', '/v1/clusters', { token: await issuer.token() });
      expect([keyless.status, keyless.json['detail']]).toEqual([503, expect.stringContaining('/keys can not be had')]);
      issuer.keyless = false;
      expect((await fresh.call('GET', '/v1/clusters')).status).toBe(200);
      expect((await fresh.call('GET', '/v1/clusters', { token: await issuer.token() })).status).toBe(200);
    } finally {
      issuer.away = false;
      issuer.keyless = false;
      await fresh.close();
    }
  });
});
