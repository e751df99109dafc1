import { fileURLToPath } from 'node:url';
import { InvalidSetting } from '@systole/settings';
import { describe, expect, it } from 'vitest';
import { signingKeyOf } from './evidence-duty.js';
import { workerConfigFrom } from './worker-config.js';

const DATABASE_URL = 'postgres://systole@db/systole';

describe('the settings of a worker', () => {
  it('need nothing but the database', () => {
    expect(workerConfigFrom({ DATABASE_URL, REDIS_URL: '', LOG_LEVEL: '' })).toEqual({ databaseUrl: DATABASE_URL });
  });

  it('are read from the environment', () => {
    const environment = {
      DATABASE_URL,
      REDIS_URL: 'redis://r',
      LOG_LEVEL: 'debug',
      HEALTH_PORT: '8081',
      HEALTH_HOST: '0.0.0.0',
      SYSTOLE_DATABASE_CONNECTIONS: '12',
      WORKER_CONCURRENCY: '4',
      SCHEDULE_TIMEOUT_MS: '1000',
      SYSTOLE_SIGNING_KEY_FILE: '/etc/systole/key.pem',
      SYSTOLE_SIGN_EVERY_S: '60',
      SYSTOLE_WEBHOOK_ALLOW: '10.0.0.0/8',
      SYSTOLE_WEBHOOK_TIMEOUT_S: '5',
      SYSTOLE_WEBHOOK_DISABLE_AFTER_DAYS: '2',
      SYSTOLE_KEEP_DELIVERIES_DAYS: '30',
      SYSTOLE_WARM_UP: 'off',
    };
    expect(workerConfigFrom(environment)).toEqual({
      databaseUrl: DATABASE_URL,
      redisUrl: 'redis://r',
      logLevel: 'debug',
      healthPort: 8081,
      healthHost: '0.0.0.0',
      webhookAddresses: { allow: ['10.0.0.0/8'], refuse: [] },
      webhookTimeoutMs: 5_000,
      webhookDisableAfterMs: 2 * 86_400_000,
      keepDeliveriesMs: 30 * 86_400_000,
      databaseConnections: 12,
      warmUp: false,
      concurrency: 4,
      scheduleTimeoutMs: 1000,
      signingKeyFile: '/etc/systole/key.pem',
      signEveryMs: 60_000,
    });
  });

  it('are refused by name when they make no sense', () => {
    expect(() => workerConfigFrom({})).toThrow(InvalidSetting);
    expect(() => workerConfigFrom({ DATABASE_URL, HEALTH_PORT: 'many' })).toThrow(/HEALTH_PORT is "many"/);
    expect(() => workerConfigFrom({ DATABASE_URL, SYSTOLE_DATABASE_CONNECTIONS: '7' })).toThrow(/give a whole number from 8 to 1000/);
    expect(() => workerConfigFrom({ DATABASE_URL, WORKER_CONCURRENCY: '0' })).toThrow(/WORKER_CONCURRENCY/);
  });

  it('to sign the heads of the log need a key that can be used', async () => {
    expect(() => workerConfigFrom({ DATABASE_URL, SYSTOLE_SIGN_EVERY_S: '60' })).toThrow(/SYSTOLE_SIGNING_KEY_FILE is not/);
    expect(await signingKeyOf({ databaseUrl: DATABASE_URL })).toBeUndefined();
    for (const signingKeyFile of ['/nowhere/key.pem', fileURLToPath(import.meta.url)]) {
      const key = signingKeyOf({ databaseUrl: DATABASE_URL, signingKeyFile });
      await expect(key).rejects.toThrow(InvalidSetting);
      await expect(key).rejects.toThrow(/SYSTOLE_SIGNING_KEY_FILE: .*systole audit make-key/);
    }
  });
});
