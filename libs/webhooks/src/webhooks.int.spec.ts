import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CertificateAuthority } from '@systole/certificates/testing';
import { EventStore, EventTail } from '@systole/event-store';
import { createScratchDatabase, orderFinal, type ScratchDatabase } from '@systole/event-store/testing';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { behindText } from './behind.js';
import { WebhookDispatcher } from './delivery/webhook-dispatcher.js';
import { dataSourceOn } from './entities/shared-pool-data-source.js';
import { OPEN_BOX } from './message/secret-box.js';
import { signatureOf } from './message/signature.js';
import { AddressPolicy } from './sending/address-policy.js';
import { Receiver } from './testing/receiver.js';
import { Webhooks, type WebhookDraft } from './webhooks.js';

const META = { actor: 'user:alice', command: 'test', correlationId: 'r-1' };
const BY = { actor: 'user:alice', correlationId: 'r-1' };

describe('webhooks', () => {
  let database: ScratchDatabase;
  let store: EventStore;
  let tail: EventTail<{ type: string; data: object }>;
  let source: DataSource;
  let webhooks: Webhooks;
  const receivers: Receiver[] = [];
  const workers: { close(): Promise<void> }[] = [];
  /** What is to be looked at later. */
  const later: { readonly id: string; readonly inMs: number }[] = [];

  beforeEach(async () => {
    database = await createScratchDatabase();
    store = new EventStore(database.pool);
    tail = new EventTail(store);
    source = await dataSourceOn(database.pool);
    webhooks = new Webhooks(source, database.pool, OPEN_BOX, tail);
    later.length = 0;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await tail.close();
    await source.destroy();
    await store.close();
    await database.drop();
  });

  async function receiver(...given: Parameters<typeof Receiver.open>): Promise<Receiver> {
    const opened = await Receiver.open(...given);
    receivers.push(opened);
    return opened;
  }

  /** A worker, with a tail and a store of its own. */
  function worker({
    disableAfterMs = 3_600_000,
    policy = new AddressPolicy({ allow: ['127.0.0.1'] }),
    timeoutMs = 2_000,
    box = OPEN_BOX,
  } = {}): WebhookDispatcher {
    const own = new EventStore(database.pool);
    const ownTail = new EventTail(own);
    const onTrouble = (error: unknown): never => {
      throw error;
    };
    const dispatcher = new WebhookDispatcher(
      {
        ...{ pool: database.pool, store: own, tail: ownTail, box, policy, timeoutMs, disableAfterMs, onTrouble },
        clusterName: (id) => Promise.resolve(`name of ${id}`),
        disable: (id, reason) => webhooks.disable(id, reason),
        attempted: () => undefined,
        chance: () => 0,
      },
      {
        later: (id, at) => {
          later.push({ id, inMs: at - Date.now() });
          return Promise.resolve();
        },
        onTrouble,
      },
    );
    dispatcher.start();
    workers.push({
      close: async () => {
        await dispatcher.close();
        await ownTail.close();
        await own.close();
      },
    });
    return dispatcher;
  }

  async function webhook(
    url: string,
    draft: Partial<WebhookDraft> & { readonly after?: number } = {},
  ): Promise<{ readonly id: string; readonly secret: string }> {
    const id = randomUUID();
    const whole = {
      clusters: null,
      audit: false,
      types: null,
      subjects: null,
      actor: null,
      severity: 'any' as const,
      authorities: null,
      enabled: true,
    };
    const made = await webhooks.create(id, { ...whole, name: `hook-${id}`, url, ...draft }, BY);
    if (typeof made === 'string') throw new Error(made);
    return { id, secret: made.secret };
  }

  async function append(stream: string, ...types: readonly string[]): Promise<void> {
    for (const type of types) await store.append(stream, 'any', [{ type, data: { reason: type }, subjects: ['db'] }], META);
  }

  const stateOf = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
    const found = await webhooks.get(id);
    return Object.fromEntries([...Object.entries(found?.webhook ?? {}), ...Object.entries(found?.progress ?? {})]);
  };
  const positionOf = async (stream: string, version: number): Promise<number> => {
    const { rows } = await database.pool.query<{ position: string }>(
      'SELECT global_position AS position FROM events WHERE stream_id = $1 AND version = $2',
      [stream, version],
    );
    return Number(rows[0]?.position);
  };
  const dueNow = (): Promise<unknown> =>
    database.pool.query(`UPDATE webhook_progress SET next_attempt_at = clock_timestamp() - interval '1 second'`);
  const names = (stream: string, from: number, to: number): readonly string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => `${stream}@${String(from + index)}`);

  it('post each event that fits, in order, signed, and say how it went', async () => {
    await append('c1', 'A');
    await orderFinal(database.pool);
    const target = await receiver();
    const { id, secret } = await webhook(`${target.url}/hook?key=1`, { types: ['A', 'B'] });
    worker();
    await append('c1', 'A', 'X', 'B');
    await append('c2', 'A');
    await expect.poll(() => target.events).toEqual(['c1@2', 'c1@4', 'c2@1']);
    const [first] = target.received;
    expect(first?.path).toBe('/hook?key=1');
    expect(first?.json).toMatchObject({
      type: 'A',
      data: { streamId: 'c1', version: 2, clusterName: 'name of c1', data: { reason: 'A' }, actor: 'user:alice' },
    });
    const {
      'webhook-id': messageId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
      'content-type': type,
    } = first?.headers ?? {};
    expect(type).toBe('application/json');
    expect(messageId).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    expect(signature).toBe(signatureOf({ id: String(messageId), timestamp: Number(timestamp), body: first?.body ?? '' }, [secret]));
    await expect
      .poll(async () =>
        (await webhooks.deliveries(id, { limit: 10 })).map(({ outcome, streamId, version, status, attempt }) => [
          outcome,
          streamId,
          version,
          status,
          attempt,
        ]),
      )
      .toEqual([
        ['delivered', 'c2', 1, 204, 1],
        ['delivered', 'c1', 4, 204, 1],
        ['delivered', 'c1', 2, 204, 1],
      ]);
    const [newest, second] = await webhooks.deliveries(id, { limit: 2 });
    expect((await webhooks.deliveries(id, { limit: 5, before: second?.id ?? '' })).map(({ version }) => version)).toEqual([2]);
    expect(newest?.position).toBe((await stateOf(id))['position']);
  });

  it('hold back what follows until it is delivered, and hold up nobody else', async () => {
    const fails = await receiver((_, number) => ({ status: number < 3 ? 500 : 200, body: 'not\0now' }));
    const works = await receiver();
    const failing = await webhook(fails.url);
    await webhook(works.url);
    const dispatcher = worker();
    await append('c1', 'A', 'B', 'C');
    await expect.poll(() => works.events).toEqual(names('c1', 1, 3));
    await expect.poll(() => later).toMatchObject([{ id: failing.id }]);
    expect(later[0]?.inMs).toBeGreaterThan(4_000);
    expect(fails.events).toEqual(['c1@1']);
    const { position, ...state } = await stateOf(failing.id);
    expect(state).toMatchObject({ attempts: 1, failingSince: expect.any(Date) as unknown, lastError: 'answered 500' });
    // It may have passed what was before, which is of no matter to it.
    expect(position).toBeLessThan(await positionOf('c1', 1));
    // Woken before it is due it is left alone.
    dispatcher.wake(failing.id);
    await append('c1', 'D');
    await expect.poll(() => works.events).toEqual(names('c1', 1, 4));
    expect(fails.events).toHaveLength(1);
    for (const attempts of [2, 3]) {
      await dueNow();
      dispatcher.wake(failing.id);
      await expect.poll(() => fails.received.length).toBeGreaterThanOrEqual(attempts);
    }
    await expect.poll(() => fails.events).toEqual(['c1@1', 'c1@1', ...names('c1', 1, 4)]);
    expect(new Set(fails.received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await expect.poll(async () => (await stateOf(failing.id))['failingSince']).toBeNull();
    const [oldest] = (await webhooks.deliveries(failing.id, { limit: 10 })).slice(-1);
    expect(oldest).toMatchObject({ outcome: 'failed', status: 500, answer: 'not\uFFFDnow', error: 'answered 500', attempt: 1 });
  });

  it('that are slow hold up no other one, however many there are', { timeout: 60_000 }, async () => {
    const slow = await receiver(() => ({ status: 200, afterMs: 1_200 }));
    for (let count = 0; count < 100; count++) await webhook(`${slow.url}/${String(count)}`);
    const quick = await receiver();
    await webhook(quick.url, { types: ['B'] });
    worker();
    await append('c1', 'A');
    await expect.poll(() => new Set(slow.received.map(({ path }) => path)).size, { timeout: 20_000 }).toBe(100);
    await append('c1', ...Array.from({ length: 30 }, () => 'A'));
    await expect.poll(() => slow.received.length, { timeout: 20_000 }).toBeGreaterThan(160);
    await append('c1', 'B');
    // Those who wait for a turn before it would have all places for ten seconds.
    await expect.poll(() => quick.events, { timeout: 5_000 }).toEqual(['c1@32']);
  });

  it('say how far behind they are, each and all together', async () => {
    const fails = await receiver(() => ({ status: 500 }));
    const works = await receiver();
    const [failing, working] = [await webhook(fails.url, { types: ['A'] }), await webhook(works.url)];
    const behindOf = async (id: string) => {
      const found = await webhooks.get(id);
      return found && webhooks.behind(found);
    };
    expect(await behindOf(failing.id)).toEqual({ events: 0, more: false, ms: 0 });
    worker();
    await append('c1', 'A', 'B', 'A');
    await expect.poll(() => works.events.length).toBe(3);
    await expect.poll(() => later).toHaveLength(1);
    expect(await behindOf(failing.id)).toMatchObject({ events: 2, more: false });
    await expect.poll(() => behindOf(working.id)).toEqual({ events: 0, more: false, ms: 0 });
    expect(await webhooks.lag()).toMatchObject({ behind: 0 });
    await database.pool.query(`BEGIN; ALTER TABLE events DISABLE TRIGGER ALL;
      UPDATE events SET occurred_at = occurred_at - interval '10 minutes'; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`);
    const late = await behindOf(failing.id);
    expect(late?.ms).toBeGreaterThanOrEqual(600_000);
    const lag = await webhooks.lag();
    expect(lag.behind).toBe(1);
    expect(behindText(lag)).toMatch(/^one webhook has not got past events that are older than 300 s \(the oldest: 6\d\d s\)/);
    await webhooks.change(failing.id, { enabled: false }, BY);
    expect(behindText(await webhooks.lag())).toBeUndefined();
  });

  it('are not sent unsigned by a worker that can not open the secret, which the log of deliveries says', async () => {
    const target = await receiver();
    const { id } = await webhook(target.url);
    worker({ box: { ...OPEN_BOX, open: () => undefined } });
    await append('c1', 'A');
    await expect
      .poll(async () => (await stateOf(id))['lastError'])
      .toMatch(/key that this worker does not have: set SYSTOLE_SECRETS_KEY_FILE/);
    expect(target.received).toEqual([]);
  });

  it('are delivered once by several workers, one at a time', async () => {
    const target = await receiver(() => ({ status: 200, afterMs: 3 }));
    await webhook(target.url);
    for (let count = 0; count < 3; count++) worker();
    for (let round = 0; round < 20; round++) await append(`c${String(round % 3)}`, 'A', 'B');
    await expect.poll(() => target.received.length).toBe(40);
    expect(new Set(target.events).size).toBe(40);
    expect(target.mostAtOnce).toBe(1);
    for (const stream of ['c0', 'c1', 'c2']) {
      const versions = target.events.filter((event) => event.startsWith(stream));
      expect(versions).toEqual(names(stream, 1, versions.length));
    }
  });

  it('lose nothing to a worker that was killed in the midst of it', async () => {
    const target = await receiver();
    const { id } = await webhook(target.url);
    await append('c1', 'A', 'B');
    // As it is left behind by one that had just posted the first.
    await database.pool.query(
      `UPDATE webhook_progress SET holder = 'dead', held_until = clock_timestamp() + interval '300 milliseconds' WHERE webhook_id = $1`,
      [id],
    );
    const dispatcher = worker();
    await expect
      .poll(async () => {
        await dispatcher.sweep();
        return target.events;
      })
      .toEqual(['c1@1', 'c1@2']);
  });

  it('go on when the clock of the database was set back by an hour', async () => {
    const target = await receiver();
    const { id } = await webhook(target.url);
    await database.pool.query(
      `UPDATE webhook_progress SET attempts = 1, holder = 'dead', held_until = clock_timestamp() + interval '61 minutes', next_attempt_at = clock_timestamp() + interval '3 hours' WHERE webhook_id = $1`,
      [id],
    );
    worker();
    await append('c1', 'A');
    await expect.poll(() => target.events).toEqual(['c1@1']);
  });

  it('are disabled when nothing could be delivered for too long, which the audit says, and go on where they were', async () => {
    let status = 503;
    const target = await receiver(() => ({ status }));
    const { id } = await webhook(target.url);
    const dispatcher = worker({ disableAfterMs: 50 });
    await append('c1', 'A', 'B');
    await expect.poll(() => later.length).toBe(1);
    await database.pool.query(`UPDATE webhook_progress SET failing_since = failing_since - interval '1 minute'`);
    await dueNow();
    dispatcher.wake(id);
    await expect.poll(async () => (await stateOf(id))['enabled']).toBe(false);
    expect((await stateOf(id))['disabledReason']).toMatch(/could be delivered.*answered 503/);
    const audit = await store.readStream('server/audit');
    expect(audit.map(({ type }) => type)).toEqual(['WebhookCreated', 'WebhookDisabled']);
    expect(await webhooks.states()).toEqual({ enabled: 0, failing: 0, disabled: 1 });
    status = 200;
    await append('c1', 'C');
    await webhooks.change(id, { enabled: true }, BY);
    dispatcher.wake(id);
    await expect.poll(() => target.events.slice(2)).toEqual(names('c1', 1, 3));
    expect(await stateOf(id)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('are disabled at once by a receiver that wants nothing any more', async () => {
    const target = await receiver(() => ({ status: 410 }));
    const { id } = await webhook(target.url);
    worker();
    await append('c1', 'A');
    await expect.poll(async () => (await stateOf(id))['disabledReason']).toMatch(/410/);
  });

  it('follow no redirect, and wait no longer than they may', async () => {
    const elsewhere = await receiver();
    const redirects = await receiver(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const hangs = await receiver(() => ({ status: 200, afterMs: 3_000 }));
    const [led, waiting] = [await webhook(redirects.url), await webhook(hangs.url)];
    worker({ timeoutMs: 200 });
    await append('c1', 'A');
    await expect.poll(async () => (await stateOf(led.id))['lastError']).toBe('answered 307: redirects are not followed');
    await expect.poll(async () => (await stateOf(waiting.id))['lastError']).toBe('no answer within 200 ms');
    expect(elsewhere.received).toEqual([]);
  });

  it('go to no address that is refused, however it is written and whatever its name is', async () => {
    const target = await receiver();
    const { port } = new URL(target.url);
    const made = await Promise.all(['127.0.0.1', 'localhost', '[::ffff:7f00:1]'].map((host) => webhook(`http://${host}:${port}/`)));
    worker({ policy: new AddressPolicy() });
    await append('c1', 'A');
    for (const { id } of made) await expect.poll(async () => (await stateOf(id))['lastError']).toMatch(/where nothing is sent to/);
    expect(target.received).toEqual([]);
  });

  it('verify the receiver, by authorities of its own where it has some', async () => {
    const authority = new CertificateAuthority();
    try {
      const { certificate, key } = authority.issue('receiver', 'IP:127.0.0.1');
      const target = await receiver(undefined, { cert: readFileSync(certificate), key: readFileSync(key) });
      const unknown = await webhook(target.url);
      await webhook(target.url, { authorities: readFileSync(authority.certificate, 'utf8') });
      worker();
      await append('c1', 'A');
      await expect.poll(() => target.events).toEqual(['c1@1']);
      await expect.poll(async () => (await stateOf(unknown.id))['lastError']).toMatch(/certificate/);
    } finally {
      authority.remove();
    }
  });

  it('sign with the secret before, too, for a while', async () => {
    const target = await receiver();
    const { id, secret } = await webhook(target.url);
    const rotated = await webhooks.rotateSecret(id, BY);
    worker();
    await append('c1', 'A');
    await expect.poll(() => target.received.length).toBe(1);
    const [first] = target.received;
    if (first === undefined) throw new Error('nothing came');
    const { headers, body } = first;
    const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body };
    expect(headers['webhook-signature']).toBe(signatureOf(message, [rotated?.secret ?? '', secret]));
    await database.pool.query(`UPDATE webhooks SET previous_until = clock_timestamp()`);
    await append('c1', 'B');
    await expect.poll(() => target.received.length).toBe(2);
    expect(String(target.received[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('are tried, and sent an event again, when somebody asks, though they are disabled', async () => {
    const target = await receiver();
    const { id } = await webhook(target.url);
    const dispatcher = worker();
    await append('c1', 'A');
    await expect.poll(async () => (await webhooks.deliveries(id, { limit: 1 })).length).toBe(1);
    const [delivered] = await webhooks.deliveries(id, { limit: 1 });
    await webhooks.change(id, { enabled: false }, BY);
    const test = await webhooks.ask(id);
    const again = await webhooks.ask(id, delivered);
    expect([test, again].map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['test', 'waiting'],
      ['redelivery', 'waiting'],
    ]);
    dispatcher.wake(id);
    await expect.poll(() => target.received.map(({ json: { type } }) => type)).toEqual(['A', 'WebhookTest', 'A']);
    expect(target.received[2]?.headers['webhook-id']).toBe(target.received[0]?.headers['webhook-id']);
    await expect.poll(async () => (await webhooks.delivery(id, again.id))?.outcome).toBe('delivered');
  });

  it('begin where they are told to, and go on elsewhere when that is changed', async () => {
    await append('c1', 'A', 'B', 'C');
    const target = await receiver();
    const { id } = await webhook(target.url, { after: 0 });
    const dispatcher = worker();
    await expect.poll(() => target.events).toEqual(names('c1', 1, 3));
    const [, second] = await store.readStream('c1');
    await webhooks.change(id, { after: second?.globalPosition ?? 0 }, BY);
    dispatcher.wake(id);
    await expect.poll(() => target.events.slice(3)).toEqual(['c1@3']);
  });

  it('are disabled, saying why, when the log no longer has their place', async () => {
    const target = await receiver();
    const { id } = await webhook(target.url, { after: 4_711 });
    worker();
    await append('c1', 'A');
    await expect.poll(async () => (await stateOf(id))['disabledReason']).toMatch(/no event at position 4711/);
    expect(target.received).toEqual([]);
  });

  it('say instead of the data of a very long event where it can be read', async () => {
    const target = await receiver();
    await webhook(target.url);
    worker();
    await store.append('c1', 'any', [{ type: 'A', data: { cib: 'x'.repeat(300_000) } }], META);
    await expect.poll(() => target.received.length).toBe(1);
    expect(target.received[0]?.json.data['data']).toEqual({
      omitted: true,
      bytes: expect.any(Number) as unknown,
      readItAt: '/v1/clusters/c1/events/1',
    });
  });

  it('have names that are theirs alone, and are gone with their deliveries', async () => {
    const { id } = await webhook('https://hooks.example/a?secret=1', { name: 'one' });
    const other = await webhook('https://hooks.example/b', { name: 'two' });
    await expect(webhook('https://hooks.example/c', { name: 'one' })).rejects.toThrow('name-taken');
    expect(await webhooks.change(other.id, { name: 'one' }, BY)).toBe('name-taken');
    expect((await webhooks.list({ limit: 1, afterName: 'one' })).map(({ webhook: { name } }) => name)).toEqual(['two']);
    await webhooks.ask(id);
    expect(await webhooks.remove(id, { ...BY, reason: 'not needed' })).toMatchObject({ name: 'one' });
    expect([await webhooks.get(id), await webhooks.remove(id, BY), await webhooks.change(id, { enabled: true }, BY)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const audit = await store.readStream('server/audit');
    expect(audit.map(({ type, actor }) => [type, actor])).toEqual([
      ...Array.from({ length: 2 }, () => ['WebhookCreated', 'user:alice']),
      ['WebhookDeleted', 'user:alice'],
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/secret=1|whsec_/);
  });
});
