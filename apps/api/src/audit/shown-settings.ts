import { placeOf } from '@systole/access';
import type { ApiConfig } from '../api-config.js';

/** Settings that say nothing which is a secret: what is not named here is not told. */
const PLAIN = [
  'databaseConnections',
  'port',
  'host',
  'logLevel',
  'leaseMs',
  'pollMs',
  'heartbeatMs',
  'cachedStatesBytes',
  'trustedProxies',
  'operatorsHangAfterMs',
  'operatorsApart',
  'warmUp',
] as const satisfies readonly (keyof ApiConfig)[];

/** The settings of an api as the audit tells them: of addresses only where they lead. */
export function shownSettings(config: ApiConfig): Readonly<Record<string, string | number | boolean>> {
  const shown: Record<string, string | number | boolean> = { database: placeOf(config.databaseUrl) };
  if (config.redisUrl !== undefined) shown['redis'] = placeOf(config.redisUrl);
  for (const name of PLAIN) {
    const value = config[name];
    if (value !== undefined) shown[name] = value;
  }
  const { requests, connections } = config.limits ?? {};
  if (requests !== undefined) shown['requestsPerSecond'] = requests.perSecond;
  if (connections !== undefined) shown['connections'] = connections.total;
  return shown;
}
