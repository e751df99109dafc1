import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENT_SETTINGS, API_SETTINGS, InvalidSetting, readSettings, settingsPage, unknownSettings, WORKER_SETTINGS } from './index.js';

describe('what looks like a setting', () => {
  it('and is known to any program is nothing to tell of, as one file may be for all of them', () => {
    const all = Object.keys({
      ...API_SETTINGS,
      ...WORKER_SETTINGS,
      ...AGENT_SETTINGS,
      SYSTOLE_SECRET_DB: '',
      SYSTOLE_CONFIG: '',
      PATH: '',
    });
    expect(unknownSettings(Object.fromEntries(all.map((name) => [name, 'x'])))).toEqual([]);
  });

  it.each([
    ['SYSTOLE_LEASE_SM', 'SYSTOLE_LEASE_MS'],
    ['SYSTOLE_STATES', 'SYSTOLE_STATES_MIB'],
    ['SYSTOLE_WATCHDOG_TIMEOUTS', 'SYSTOLE_WATCHDOG_TIMEOUT'],
  ])('and is mistyped is told with what is meant: %s', (given, meant) => {
    expect(unknownSettings({ [given]: 'a secret' })).toEqual([
      `${given} is no setting, and counts for nothing: is ${meant} meant? (docs/guide/settings.md)`,
    ]);
  });

  it.each([
    ['SYSTOLE_SECRET_PARAMETER', 'SYSTOLE_SECRET_PARAMETERS'],
    ['SYSTOLE_SECRET_KEY_FILE', 'SYSTOLE_SECRETS_KEY_FILE'],
  ])('and is mistyped as a secret for what an agent runs is told, too: %s', (given, meant) => {
    expect(unknownSettings({ [given]: 'x' })).toEqual([`${given} is no setting of a program: is ${meant} meant? (docs/guide/settings.md)`]);
  });

  it('and resembles none is told by itself, cut where it is long', () => {
    const name = `SYSTOLE_${'Q'.repeat(2_000)}`;
    expect(unknownSettings({ [name]: '' })).toEqual([
      `${name.slice(0, 80)} is no setting, and counts for nothing (docs/guide/settings.md)`,
    ]);
  });

  it('and comes from Kubernetes, of a service that is called so, is none', () => {
    const told = [
      'SERVICE_HOST',
      'SERVICE_PORT',
      'SERVICE_PORT_HTTP',
      'PORT',
      'PORT_8080_TCP',
      'PORT_8080_TCP_ADDR',
      'PORT_8080_TCP_PROTO',
    ];
    expect(unknownSettings(Object.fromEntries(told.map((name) => [`SYSTOLE_API_${name}`, 'tcp://10.0.0.1:8080'])))).toEqual([]);
  });
});

describe('settings', () => {
  it('are read with their defaults, empty ones as if they were not set', () => {
    const given = readSettings(API_SETTINGS, { SYSTOLE_STREAMS: '', PORT: '0', SYSTOLE_CORS_ORIGINS: 'https://a, https://b,' });
    expect(given).toMatchObject({ SYSTOLE_STREAMS: 200, PORT: 0, SYSTOLE_CORS_ORIGINS: ['https://a', 'https://b'] });
    expect(given.HOST).toBeUndefined();
  });

  it.each([
    ['PORT', '70000', 'PORT is "70000": give a whole number from 0 to 65535'],
    ['PORT', '80a', 'PORT is "80a": give a whole number from 0 to 65535'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud": give one of fatal, error, warn, info, debug, trace, silent'],
    ['SYSTOLE_ADMIN_TOKEN', 'short', 'SYSTOLE_ADMIN_TOKEN is not usable: give at least 20 printable characters without spaces'],
    ['DATABASE_URL', 'mysql://u:secret@h/d', 'DATABASE_URL is not usable: give a URL that begins with postgres:// or postgresql://'],
  ])('are refused by what they may be: %s=%s', (name, text, message) => {
    expect(() => readSettings(API_SETTINGS, { [name]: text })).toThrow(new InvalidSetting(message));
  });

  it('are each accepted as their own default', () => {
    for (const [name, { otherwise, read }] of Object.entries({ ...API_SETTINGS, ...WORKER_SETTINGS }))
      if (otherwise !== undefined) expect(() => read(name, otherwise)).not.toThrow();
  });

  it('stand in the guide, all of them', () => {
    expect(readFileSync(new URL('../../../docs/guide/settings.md', import.meta.url), 'utf8')).toBe(settingsPage());
  });
});
