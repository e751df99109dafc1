import { describe, expect, it } from 'vitest';
import { InvalidUsage, startOptions } from './start-options.js';

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(startOptions([], {})).toEqual({ logLevel: 'warn' });
  });

  it('come from the command line first, then from the environment', () => {
    const environment = {
      PORT: '4000',
      HOST: '0.0.0.0',
      SYSTOLE_DATA_DIR: '/var/lib/systole',
      DATABASE_URL: 'postgres://db/systole',
      REDIS_URL: '',
    };
    expect(startOptions(['--port', '5000', '--data-dir', 'elsewhere'], environment)).toEqual({
      port: 5000,
      host: '0.0.0.0',
      dataDir: 'elsewhere',
      databaseUrl: 'postgres://db/systole',
      logLevel: 'warn',
    });
  });

  it('ask for a new admin token', () => {
    expect(startOptions(['--new-admin-token'], {})).toEqual({ logLevel: 'warn', newAdminToken: true });
  });

  it('show the usage on request', () => {
    expect(startOptions(['--help'], {})).toBeUndefined();
  });

  it('are refused with the usage when they are unknown or make no sense', () => {
    expect(() => startOptions(['--prot', '1'], {})).toThrow(InvalidUsage);
    expect(() => startOptions(['--port', 'http'], {})).toThrow(/the port is "http"/);
  });
});
