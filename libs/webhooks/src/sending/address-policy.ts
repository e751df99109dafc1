import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A setting names something that is no address, network or host. */
export class InvalidAddressRule extends Error {
  override readonly name = 'InvalidAddressRule';

  constructor(
    readonly rule: string,
    /** Which one. */
    setting = 'a rule',
  ) {
    super(
      `${setting} has "${rule}": give addresses and networks separated by commas, e.g. 10.0.0.0/8, fd00::/8, 127.0.0.1; to allow, hosts, too`,
    );
  }
}

/** Exceptions from what is refused anyway, and what is refused besides. */
export interface AddressRules {
  /** Networks, addresses and hosts; they count more than what is refused. */
  readonly allow?: readonly string[];
  /** Networks and addresses. */
  readonly refuse?: readonly string[];
}

/** Reads `SYSTOLE_WEBHOOK_ALLOW` and `SYSTOLE_WEBHOOK_REFUSE`; undefined when neither is set. @throws {InvalidAddressRule} naming the variable */
export function addressRulesFrom(environment: NodeJS.ProcessEnv): AddressRules | undefined {
  const rulesIn = (setting: string, check: (rules: readonly string[]) => AddressPolicy): readonly string[] => {
    const rules = (environment[setting] ?? '')
      .split(',')
      .map((rule) => rule.trim())
      .filter((rule) => rule !== '');
    try {
      check(rules);
    } catch (error) {
      throw error instanceof InvalidAddressRule ? new InvalidAddressRule(error.rule, setting) : error;
    }
    return rules;
  };
  const allow = rulesIn('SYSTOLE_WEBHOOK_ALLOW', (rules) => new AddressPolicy({ allow: rules }));
  const refuse = rulesIn('SYSTOLE_WEBHOOK_REFUSE', (rules) => new AddressPolicy({ refuse: rules }));
  return allow.length + refuse.length === 0 ? undefined : { allow, refuse };
}

/** Where nothing may be sent unless it is allowed: this machine, the link and what clouds answer there about the machine, and what is nobody's address. */
const REFUSED = [
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/4', '240.0.0.0/4', '100.100.100.200/32', '168.63.129.16/32'],
  ...['::/128', '::1/128', 'fe80::/10', 'fec0::/10', 'ff00::/8', 'fd00:ec2::254/128'],
  // Where local NAT64 (RFC 8215) has the address of IPv4 depends on a prefix that only its network knows.
  '64:ff9b:1::/48',
];

/** Addresses of IPv6 that lead to one of IPv4: prefix in hexadecimal groups, and at which byte the other one stands. */
const EMBEDDING: readonly { readonly network: string; readonly at: number }[] = [
  { network: '::ffff:0:0/96', at: 12 },
  // IPv4-translated (RFC 2765).
  { network: '::ffff:0:0:0/96', at: 12 },
  { network: '::/96', at: 12 },
  { network: '64:ff9b::/96', at: 12 },
  { network: '2002::/16', at: 2 },
];

/** Teredo (RFC 4380): its server, and the client with all bits inverted; packets go to both. */
const TEREDO = listOf(['2001::/32']);

/** This machine, by the addresses that it has in its networks at the moment. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}

/** Which addresses a server may send events to. The address that is connected to is judged, whatever its name says. */
export class AddressPolicy {
  readonly #allowed = new BlockList();
  readonly #refused = new BlockList();
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #embedding = EMBEDDING.map(({ network, at }) => ({ list: listOf([network]), at }));

  /**
   * @param own this machine's own addresses, as they are when an address is judged
   * @throws {InvalidAddressRule}
   */
  constructor(
    { allow = [], refuse = [] }: AddressRules = {},
    private readonly own: () => readonly string[] = ownAddresses,
  ) {
    const hosts = new Set<string>();
    for (const rule of allow) if (!addTo(this.#allowed, rule)) hosts.add(hostIn(rule));
    for (const rule of [...REFUSED, ...refuse]) if (!addTo(this.#refused, rule)) throw new InvalidAddressRule(rule);
    this.#allowedHosts = hosts;
  }

  /** Whether a host may be reached wherever it leads. */
  allowsHost(host: string): boolean {
    return this.#allowedHosts.has(host.toLowerCase());
  }

  /** @param address of IPv4 or IPv6; whatever else it is, is refused */
  allows(address: string): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (this.#allowed.check(address, family)) return true;
    const embedded = version === 6 ? this.#embeddedIn(address) : [];
    if (embedded.length > 0) return embedded.every((each) => this.allows(each));
    return !this.#refused.check(address, family) && !this.own().some((each) => plainOf(each) === plainOf(address));
  }

  /** The addresses of IPv4 that one of IPv6 leads to. `::1` and `::` lead to none. */
  #embeddedIn(address: string): readonly string[] {
    if (address === '::' || address === '::1') return [];
    const bytes = bytesOf(address);
    if (TEREDO.check(address, 'ipv6'))
      return [
        bytes.slice(4, 8).join('.'),
        bytes
          .slice(12)
          .map((byte) => byte ^ 0xff)
          .join('.'),
      ];
    const found = this.#embedding.find(({ list }) => list.check(address, 'ipv6'));
    return found === undefined ? [] : [bytes.slice(found.at, found.at + 4).join('.')];
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addTo(list, network);
  return list;
}

/** @returns false where it is neither an address nor a network */
function addTo(list: BlockList, rule: string): boolean {
  const [address = '', prefix] = rule.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  const bits = version === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(length <= bits)) throw new InvalidAddressRule(rule);
  list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  return true;
}

function hostIn(rule: string): string {
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(rule)) return rule.toLowerCase();
  throw new InvalidAddressRule(rule);
}

/** The 16 bytes of an address of IPv6. */
function bytesOf(address: string): readonly number[] {
  const plain = address.split('%')[0] ?? '';
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain);
  const text =
    dotted === null
      ? plain
      : `${dotted[1] ?? ''}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`;
  const [head = '', tail] = text.split('::');
  const groups = (part: string): readonly number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
  return all.flatMap((group) => [group >> 8, group & 0xff]);
}

/** An address as it is always written. */
function plainOf(address: string): string {
  return isIP(address) === 6 ? bytesOf(address).join('.') : address;
}

/** Whether a host of a URL is an address. @returns it without the brackets of IPv6 */
export function addressIn(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/s, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}
