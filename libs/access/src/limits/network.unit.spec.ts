import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkOf } from './network.js';

describe('the network of an address', () => {
  it.each([
    ['an address of IPv4 is its own', '192.0.2.7', '192.0.2.7'],
    ['of IPv6 it is the /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['however it is written', '2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
    ['with zeros left out at its end', '2001:db8::', '2001:db8:0:0::/64'],
    ['with zeros left out within the network', '2001:db8::5:6:7:8:9', '2001:db8:0:5::/64'],
    ['with the last part written as of IPv4', '2001:db8:1:2::192.0.2.7', '2001:db8:1:2::/64'],
    ['of a link it is that link', 'fe80::1%eth0', 'fe80:0:0:0::/64%eth0'],
    ['IPv4 on a socket of IPv6 stays IPv4', '::ffff:192.0.2.7', '192.0.2.7'],
    ['so it does in hexadecimal', '::FFFF:c000:207', '192.0.2.7'],
    ['and through the translator of a network of IPv6 alone', '64:ff9b::c000:207', '192.0.2.7'],
    ['the machine itself', '::1', '0:0:0:0::/64'],
    ['what is no address is its own', 'unknown', 'unknown'],
    ['none', '', ''],
  ])('%s', (_, address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is the same for all addresses of a /64, and another one outside', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const groups = (length: number): fc.Arbitrary<string> =>
      fc.array(group, { minLength: length, maxLength: length }).map((all) => all.join(':'));
    const network = groups(3).map((rest) => `2001:${rest}`);
    const four = groups(4);
    fc.assert(
      fc.property(network, network, four, four, (one, other, host, another) => {
        expect(networkOf(`${one}:${host}`)).toBe(networkOf(`${one}:${another}`));
        if (one !== other) expect(networkOf(`${one}:${host}`)).not.toBe(networkOf(`${other}:${host}`));
      }),
    );
  });
});
