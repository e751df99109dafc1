import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address, and those of them that name its network. */
const GROUPS = 8;
const OF_NETWORK = 4;
/** What stands before an address of IPv4: on a socket of both (RFC 4291 §2.5.5.2), and from a translator (RFC 6052 §2.1). */
const BEFORE_IPV4 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/**
 * What bounds by address count: the whole address of IPv4, of IPv6 its /64, as that is the least that anybody is given, and within it whoever has it may take
 * any of 2^64. Addresses of IPv4 that are written as of IPv6 count as what they are: together they would be one network.
 *
 * @param address what is none is returned as it is
 */
export function networkOf(address: string): string {
  const [plain = '', zone] = address.split('%', 2);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  if (BEFORE_IPV4.includes(textOf(groups.slice(0, -2)))) return groups.slice(-2).flatMap(bytesOf).join('.');
  return `${textOf(groups.slice(0, OF_NETWORK))}::/64${zone === undefined ? '' : `%${zone}`}`;
}

/** All eight of an address of IPv6. */
function groupsOf(address: string): readonly number[] {
  const [before, after] = address.split('::', 2).map(writtenGroups);
  if (after === undefined) return before ?? [];
  const left = before ?? [];
  return [...left, ...Array.from({ length: GROUPS - left.length - after.length }, () => 0), ...after];
}

function writtenGroups(part: string): readonly number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function textOf(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}

function bytesOf(group: number): readonly number[] {
  return [group >> 8, group & 255];
}
