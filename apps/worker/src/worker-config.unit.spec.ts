import { describe, expect, it } from 'vitest';
import { InvalidSetting, workerConfigFrom } from './worker-config.js';

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
      SYSTOLE_DATABASE_CONNECTIONS: '12',
      WORKER_CONCURRENCY: '4',
      SCHEDULE_TIMEOUT_MS: '1000',
    };
    expect(workerConfigFrom(environment)).toEqual({
      databaseUrl: DATABASE_URL,
      redisUrl: 'redis://r',
      logLevel: 'debug',
      healthPort: 8081,
      databaseConnections: 12,
      concurrency: 4,
      scheduleTimeoutMs: 1000,
    });
  });

  it('are refused by name when they make no sense', () => {
    expect(() => workerConfigFrom({})).toThrow(InvalidSetting);
    expect(() => workerConfigFrom({ DATABASE_URL, HEALTH_PORT: 'many' })).toThrow(/HEALTH_PORT is "many"/);
    expect(() => workerConfigFrom({ DATABASE_URL, SYSTOLE_DATABASE_CONNECTIONS: '7' })).toThrow(/give a whole number from 8 to 1000/);
    expect(() => workerConfigFrom({ DATABASE_URL, WORKER_CONCURRENCY: '0' })).toThrow(/WORKER_CONCURRENCY/);
  });
});
