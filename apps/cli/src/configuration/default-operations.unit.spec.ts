import { describe, expect, it } from 'vitest';
import { defaultOperations, type AdvertisedAction } from './default-operations.js';

const action = (name: string, timeoutS?: number, intervalS?: number, more: Partial<AdvertisedAction> = {}): AdvertisedAction => ({
  ...{ name, automatic: false, onTarget: false },
  ...(timeoutS === undefined ? {} : { timeoutMs: timeoutS * 1_000 }),
  ...(intervalS === undefined ? {} : { intervalMs: intervalS * 1_000 }),
  ...more,
});
const IP = [
  ...[action('start', 20), action('stop', 20), action('status', 20, 10), action('monitor', 20, 10)],
  ...[action('validate-all', 20), action('meta-data', 5)],
];

describe('the operations of a new resource', () => {
  it('are what its agent advertises, but for those that its caller gave', () => {
    expect(defaultOperations({ advertised: IP })).toEqual([
      { name: 'monitor', interval: '10s', timeout: '20s' },
      { name: 'start', interval: '0s', timeout: '20s' },
      { name: 'stop', interval: '0s', timeout: '20s' },
    ]);
    expect(defaultOperations({ advertised: IP, given: ['monitor', 'stop'] })).toEqual([{ name: 'start', interval: '0s', timeout: '20s' }]);
    const more = [action('migrate_to', 1.5), action('reload-agent', 20), action('notify'), action('methods', 5)];
    expect(defaultOperations({ advertised: [...IP, ...more], given: ['monitor', 'start', 'stop'] })).toEqual([
      { name: 'reload-agent', interval: '0s', timeout: '20s' },
      { name: 'migrate_to', interval: '0s', timeout: '1500ms' },
    ]);
  });

  it('have a monitor of each role, with intervals of their own, and none of a deeper level', () => {
    const roles = [
      ...[action('monitor', 20, 10, { role: 'Slave' }), action('monitor', 20, 10, { role: 'Master' })],
      ...[action('monitor', 60, 10, { role: 'Master', depth: '10' }), action('monitor', 60, 11, { depth: '20' })],
    ];
    expect(defaultOperations({ advertised: roles })).toEqual([
      { name: 'monitor', interval: '10s', timeout: '20s', role: 'Unpromoted' },
      { name: 'monitor', interval: '11s', timeout: '20s', role: 'Promoted' },
    ]);
    expect(defaultOperations({ advertised: [action('monitor', 20, 10), action('monitor', 20, 9, { role: 'Promoted' })] })).toMatchObject([
      { interval: '10s' },
      { interval: '9s', role: 'Promoted' },
    ]);
  });

  it('have a monitor every minute where nothing is advertised, and where only monitors are wanted', () => {
    const minute = [{ name: 'monitor', interval: '60s' }];
    expect(defaultOperations({ advertised: undefined })).toEqual(minute);
    expect(defaultOperations({ advertised: undefined, given: ['monitor'] })).toEqual([]);
    expect(defaultOperations({ advertised: [action('monitor')] })).toEqual(minute);
    expect(defaultOperations({ advertised: IP, monitorsOnly: true })).toEqual([{ name: 'monitor', interval: '10s', timeout: '20s' }]);
  });
});
