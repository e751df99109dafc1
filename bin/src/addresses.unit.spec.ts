import { expect, it } from 'vitest';
import { urlsFromElsewhere } from './addresses.js';

const INTERFACES = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true } as const],
  eth0: [
    { address: '192.0.2.7', family: 'IPv4', internal: false } as const,
    { address: 'fe80::1', family: 'IPv6', internal: false } as const,
    { address: '2001:db8::7', family: 'IPv6', internal: false } as const,
  ],
};

it.each([
  ['127.0.0.1', undefined],
  ['192.0.2.7', undefined],
  ['0.0.0.0', ['http://192.0.2.7:3000']],
  ['::', ['http://192.0.2.7:3000', 'http://[2001:db8::7]:3000']],
])('a server that listens on %s is reached from elsewhere under %j', (host, urls) => {
  expect(urlsFromElsewhere('http:', host, '3000', INTERFACES)).toEqual(urls);
});

it('says so when no other machine can reach one that listens everywhere', () => {
  expect(urlsFromElsewhere('http:', '0.0.0.0', '3000', { lo: INTERFACES.lo })).toEqual([]);
});
