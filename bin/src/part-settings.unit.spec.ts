import { describe, expect, it } from 'vitest';
import { partSettings } from './part-settings.js';

describe('the settings of the parts of one process', () => {
  it('are what each reads as a process of its own', () => {
    const { api, worker } = partSettings({
      SYSTOLE_STATES_MIB: '64',
      WORKER_CONCURRENCY: '3',
      SYSTOLE_STREAMS: '7',
      SCHEDULE_TIMEOUT_MS: '9',
      SYSTOLE_CORS_ORIGINS: 'https://ops.example',
      PORT: '80',
      REDIS_URL: 'redis://elsewhere',
      SYSTOLE_WEBHOOK_ALLOW: 'hooks.internal',
      SYSTOLE_WEBHOOK_DISABLE_AFTER_DAYS: '2',
    });
    expect(api).toMatchObject({
      cachedStatesBytes: 64 * 1024 * 1024,
      limits: { streams: { total: 7 } },
      corsOrigins: ['https://ops.example'],
    });
    for (const common of ['port', 'redisUrl', 'databaseUrl']) expect(api).not.toHaveProperty(common);
    const webhookAddresses = { allow: ['hooks.internal'], refuse: [] };
    expect(api).toMatchObject({ webhookAddresses });
    const webhooks = { webhookAddresses, webhookDisableAfterMs: 2 * 86_400_000 };
    expect(worker).toEqual({ cachedStatesBytes: 64 * 1024 * 1024, concurrency: 3, scheduleTimeoutMs: 9, ...webhooks });
  });

  it('share the connections to the database', () => {
    const shared = (SYSTOLE_DATABASE_CONNECTIONS: string): readonly unknown[] => {
      const { api, worker } = partSettings({ SYSTOLE_DATABASE_CONNECTIONS });
      return [api.databaseConnections, worker.databaseConnections];
    };
    expect(['', '21', '30', '60'].map(shared)).toEqual([
      [undefined, undefined],
      [13, 8],
      [20, 10],
      [40, 20],
    ]);
    for (const few of ['20', '1.5', 'many', '1001'])
      expect(() => shared(few)).toThrow(/SYSTOLE_DATABASE_CONNECTIONS is .* from 21 to 1000/);
  });

  it('are refused by the variable’s name', () => {
    expect(() => partSettings({ WORKER_CONCURRENCY: '0' })).toThrow('WORKER_CONCURRENCY is "0": give a whole number from 1 to 1000');
  });
});
