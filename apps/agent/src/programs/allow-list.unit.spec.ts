import { describe, expect, it } from 'vitest';
import { AllowList, InvalidAllowEntry } from './allow-list.js';

function mayRun(entries: readonly string[], agent: string): boolean {
  const [named = '', ...names] = agent.split(':');
  const [provider, type = ''] = named.toLowerCase() === 'ocf' ? names : [undefined, ...names];
  return new AllowList(entries).refusalOf({ class: named, type, ...(provider === undefined ? {} : { provider }) }) === undefined;
}

describe('what may run on a node', () => {
  it.each([
    [['ocf'], 'ocf:heartbeat:IPaddr2', true],
    [['ocf:heartbeat'], 'ocf:heartbeat:IPaddr2', true],
    [['ocf:heartbeat'], 'ocf:pacemaker:ping', false],
    [['ocf:heartbeat:IPaddr2'], 'ocf:heartbeat:IPaddr', false],
    [['ocf:heartbeat:IP*'], 'ocf:heartbeat:IPaddr2', true],
    [['ocf:*:ping'], 'ocf:pacemaker:ping', true],
    [['ocf'], 'OCF:heartbeat:IPaddr2', true],
    [['systemd:nginx*'], 'systemd:nginx.service', true],
    [['systemd:a.b'], 'systemd:axb', false],
    [['systemd'], 'service:nginx', false],
    [['lsb', 'stonith:fence_ipmilan'], 'stonith:fence_ipmilan', true],
    [['stonith:fence_ipmilan'], 'stonith:fence_ssh', false],
  ] as const)('%j: %s is %s', (entries, agent, expected) => {
    expect(mayRun(entries, agent)).toBe(expected);
  });

  it('is said in entries that could allow something', () => {
    for (const entry of ['', 'nagios', 'ocf:a:b:c', 'systemd:a:b', 'ocf::x', '*']) {
      expect(() => new AllowList([entry]), entry).toThrow(InvalidAllowEntry);
    }
  });
});
