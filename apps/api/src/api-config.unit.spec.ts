import { describe, expect, it } from 'vitest';
import { apiConfigFrom } from './api-config.js';
import { InvalidSetting } from '@systole/settings';
import { DEFAULT_LIMITS } from './request-limits.js';

const DATABASE_URL = 'postgres://systole:secret@db/systole';

describe('the configuration from the environment', () => {
  it('needs a database only', () => {
    expect(apiConfigFrom({ DATABASE_URL })).toEqual({ databaseUrl: DATABASE_URL, limits: DEFAULT_LIMITS });
  });

  it('takes the rest; empty is unset', () => {
    expect(
      apiConfigFrom({
        DATABASE_URL,
        REDIS_URL: 'redis://cache',
        PORT: '0',
        HOST: '0.0.0.0',
        LOG_LEVEL: 'debug',
        SYSTOLE_ADMIN_TOKEN: 'a-secret-of-twenty-characters',
        SYSTOLE_LEASE_MS: '15000',
        SYSTOLE_DATABASE_CONNECTIONS: '30',
        SYSTOLE_TRUSTED_PROXIES: '1',
        SYSTOLE_STATES_MIB: '9',
        SYSTOLE_OPERATORS_HANG_MS: '60000',
        SYSTOLE_WARM_UP: 'off',
        SYSTOLE_BODIES_MIB: '100',
        SYSTOLE_COMPUTATIONS_EACH: '3',
        SYSTOLE_REQUESTS_PER_SECOND: '5',
        SYSTOLE_STREAMS: '7',
      }),
    ).toEqual({
      databaseUrl: DATABASE_URL,
      redisUrl: 'redis://cache',
      port: 0,
      host: '0.0.0.0',
      logLevel: 'debug',
      adminToken: 'a-secret-of-twenty-characters',
      leaseMs: 15_000,
      databaseConnections: 30,
      trustedProxies: 1,
      cachedStatesBytes: 9 * 1024 * 1024,
      operatorsHangAfterMs: 60_000,
      warmUp: false,
      limits: {
        ...DEFAULT_LIMITS,
        bodies: { ...DEFAULT_LIMITS.bodies, total: 100 * 1024 * 1024 },
        computing: { ...DEFAULT_LIMITS.computing, places: { ...DEFAULT_LIMITS.computing.places, each: 3 } },
        requests: { perSecond: 5, burst: 40 },
        streams: { ...DEFAULT_LIMITS.streams, total: 7 },
      },
    });
    expect(apiConfigFrom({ DATABASE_URL, REDIS_URL: '', PORT: '' })).toEqual({ databaseUrl: DATABASE_URL, limits: DEFAULT_LIMITS });
  });

  it.each([
    [{}, /^DATABASE_URL is not set: give/],
    [{ DATABASE_URL: 'mysql://db' }, /^DATABASE_URL is not usable: give a URL that begins with postgres:\/\//],
    [{ DATABASE_URL, REDIS_URL: 'cache:6379' }, /^REDIS_URL is not usable/],
    [{ DATABASE_URL, SYSTOLE_DATABASE_CONNECTIONS: '10' }, /^SYSTOLE_DATABASE_CONNECTIONS is "10": give a whole number from 13 to 1000/],
    [{ DATABASE_URL, PORT: '70000' }, /^PORT is "70000": give a whole number from 0 to 65535/],
    [{ DATABASE_URL, LOG_LEVEL: 'loud' }, /^LOG_LEVEL is "loud": give one of fatal/],
    [{ DATABASE_URL, SYSTOLE_ADMIN_TOKEN: 'short' }, /^SYSTOLE_ADMIN_TOKEN is not usable: give at least 20/],
    [{ DATABASE_URL, SYSTOLE_LEASE_MS: '1' }, /^SYSTOLE_LEASE_MS is "1"/],
    [{ DATABASE_URL, SYSTOLE_STREAMS: '0' }, /^SYSTOLE_STREAMS is "0": give a whole number from 1/],
  ])('says what to set for %j', (environment, message) => {
    expect(() => apiConfigFrom(environment)).toThrow(InvalidSetting);
    expect(() => apiConfigFrom(environment)).toThrow(message);
  });

  it('never repeats a password', () => {
    expect(() => apiConfigFrom({ DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(/^((?!hunter2).)*$/);
  });

  it('takes certificates that come together', () => {
    const tls = { SYSTOLE_TLS_CERT_FILE: 'c.pem', SYSTOLE_TLS_KEY_FILE: 'k.pem' };
    expect(apiConfigFrom({ DATABASE_URL, ...tls }).tls).toEqual({ certificateFile: 'c.pem', keyFile: 'k.pem' });
    const clients = { SYSTOLE_TLS_CLIENT_CA_FILE: 'ca.pem', SYSTOLE_TLS_AGENT_CERTIFICATES: 'required' };
    expect(apiConfigFrom({ DATABASE_URL, ...tls, ...clients }).tls).toMatchObject({
      clientAuthoritiesFile: 'ca.pem',
      agentCertificates: 'required',
    });
    for (const [wrong, says] of [
      [{ ...tls, SYSTOLE_TLS_KEY_FILE: '' }, /both SYSTOLE_TLS_CERT_FILE and SYSTOLE_TLS_KEY_FILE/],
      [{ SYSTOLE_TLS_CLIENT_CA_FILE: 'ca.pem' }, /both SYSTOLE_TLS_CERT_FILE/],
      [{ ...tls, SYSTOLE_TLS_AGENT_CERTIFICATES: 'required' }, /needs SYSTOLE_TLS_CLIENT_CA_FILE/],
      [{ ...tls, ...clients, SYSTOLE_TLS_AGENT_CERTIFICATES: 'always' }, /give optional or required/],
    ] as const) {
      expect(() => apiConfigFrom({ DATABASE_URL, ...wrong })).toThrow(says);
    }
  });

  it('takes an OpenID provider, with an audience and over HTTPS', () => {
    const oidc = { SYSTOLE_OIDC_ISSUER: 'https://id.example', SYSTOLE_OIDC_AUDIENCE: 'systole' };
    expect(apiConfigFrom({ DATABASE_URL, ...oidc }).oidc).toEqual({
      ...{ issuer: 'https://id.example', audience: 'systole', roleClaim: 'systole_role', nameClaim: 'sub', clockSkewS: 60 },
    });
    for (const [wrong, says] of [
      [{ ...oidc, SYSTOLE_OIDC_AUDIENCE: '' }, /SYSTOLE_OIDC_AUDIENCE is not set/],
      [{ ...oidc, SYSTOLE_OIDC_ISSUER: 'http://id.example' }, /give an https/],
      [{ SYSTOLE_OIDC_ROLE_CLAIM: 'role' }, /needs SYSTOLE_OIDC_ISSUER/],
    ] as const) {
      expect(() => apiConfigFrom({ DATABASE_URL, ...wrong })).toThrow(says);
    }
  });
});
