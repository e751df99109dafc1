import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { AddressPolicy, addressRulesFrom, InvalidAddressRule } from './address-policy.js';
import { mistakeIn } from './receiver-url.js';

describe('which addresses webhooks are sent to', () => {
  const usual = new AddressPolicy();

  it.each([
    ['127.0.0.1', 'this machine'],
    ['127.255.255.254', 'this machine'],
    ['0.0.0.0', 'this machine'],
    ['169.254.169.254', 'what clouds tell a machine about itself'],
    ['100.100.100.200', 'the same elsewhere'],
    ['224.0.0.1', 'many at once'],
    ['255.255.255.255', 'everybody'],
    ['::', 'this machine'],
    ['::1', 'this machine'],
    ['fe80::1', 'the link'],
    ['fd00:ec2::254', 'what clouds tell a machine about itself'],
    ['ff02::1', 'many at once'],
    ['::ffff:127.0.0.1', 'this machine, written in IPv6'],
    ['::ffff:7f00:1', 'this machine, written in hexadecimal'],
    ['::7f00:1', 'this machine, as it was written once'],
    ['64:ff9b::a9fe:a9fe', 'the link behind NAT64'],
    ['2002:7f00:0001::1', 'this machine behind 6to4'],
    ['64:ff9b:1::7f00:1', 'this machine behind local NAT64'],
    ['64:ff9b:1:a00:1:7f00:100::', 'what its network alone can tell'],
    ['::ffff:0:127.0.0.1', 'this machine, translated'],
    ['2001:0:7f00:1::', 'this machine as a server of Teredo'],
    ['2001:0:808:808::80ff:fffe', 'this machine as a client of Teredo'],
    ['no address', 'nothing'],
    ['', 'nothing'],
  ])('are not %s: %s', (address) => {
    expect(usual.allows(address)).toBe(false);
  });

  it.each(['10.1.2.3', '192.168.1.1', '93.184.216.34', '2606:2800:220:1::1', 'fd12::1', '::ffff:10.0.0.1'])('are %s', (address) => {
    expect(usual.allows(address)).toBe(true);
  });

  it('are not those that this machine has at the moment, however they are written, unless they are allowed', () => {
    const own = ['192.0.2.2', 'fd12::2'];
    const policy = new AddressPolicy({}, () => own);
    const asked = ['192.0.2.2', '::ffff:192.0.2.2', 'fd12:0:0::2', '192.0.2.3', 'fd12::3'];
    expect(asked.map((address) => policy.allows(address))).toEqual([false, false, false, true, true]);
    own.push('192.0.2.3');
    expect(policy.allows('192.0.2.3')).toBe(false);
    expect(new AddressPolicy({ allow: ['192.0.2.0/24'] }, () => own).allows('192.0.2.2')).toBe(true);
    for (const each of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) expect(usual.allows(each.address)).toBe(false);
  });

  it('are also those that are allowed by name, network or address, whatever is refused', () => {
    const policy = new AddressPolicy({ allow: ['127.0.0.0/8', 'fe80::1', 'Hooks.Internal'], refuse: ['0.0.0.0/0', '::/0'] });
    expect(['127.0.0.1', '::ffff:127.0.0.1', 'fe80::1'].map((address) => policy.allows(address))).toEqual([true, true, true]);
    expect(['10.0.0.1', 'fe80::2', '169.254.169.254'].map((address) => policy.allows(address))).toEqual([false, false, false]);
    expect([policy.allowsHost('hooks.internal'), policy.allowsHost('HOOKS.internal'), policy.allowsHost('other')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are read from the environment, and what is none is refused by name', () => {
    expect(addressRulesFrom({})).toBeUndefined();
    expect(addressRulesFrom({ SYSTOLE_WEBHOOK_ALLOW: ' 10.0.0.0/8 , hooks', SYSTOLE_WEBHOOK_REFUSE: '' })).toEqual({
      allow: ['10.0.0.0/8', 'hooks'],
      refuse: [],
    });
    for (const rule of ['10.0.0.0/33', '10.0.0.0/x', 'a b', '::/129']) {
      expect(() => addressRulesFrom({ SYSTOLE_WEBHOOK_ALLOW: rule })).toThrow(/SYSTOLE_WEBHOOK_ALLOW has/);
    }
    expect(() => addressRulesFrom({ SYSTOLE_WEBHOOK_REFUSE: 'hooks' })).toThrow(InvalidAddressRule);
  });

  it('are judged where the URL itself says them', () => {
    expect(mistakeIn('https://hooks.example/a?b=c', usual)).toBeUndefined();
    expect(mistakeIn('http://10.0.0.1:8080/', usual)).toBeUndefined();
    const wrong = [
      'ftp://a/',
      'no url',
      'https://u:p@a/',
      'https://a/#b',
      'http://localhost/',
      'http://a.localhost/',
      'http://127.1/',
      'http://[::1]/',
      'http://2130706433/',
    ];
    for (const url of wrong) expect([url, mistakeIn(url, usual)]).toEqual([url, expect.any(String)]);
    expect(mistakeIn('http://localhost:1/', new AddressPolicy({ allow: ['localhost'] }))).toBeUndefined();
  });
});
