import type { NetworkInterfaceInfo } from 'node:os';

/** By what is given as `--host`: families of addresses that are listened on. */
const EVERYWHERE: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0': ['IPv4'],
  '::': ['IPv4', 'IPv6'],
};

/**
 * Base URLs under which other machines may reach a server that listens on all addresses of this one; undefined when it listens on a single one.
 *
 * @param scheme that it speaks, with its colon
 * @param host that it listens on
 * @param port that it listens on
 * @param interfaces of this machine
 */
export function urlsFromElsewhere(
  scheme: string,
  host: string,
  port: string,
  interfaces: NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[]>,
): readonly string[] | undefined {
  const families = EVERYWHERE[host];
  if (families === undefined) return undefined;
  return Object.values(interfaces).flatMap((addresses = []) =>
    addresses
      // Link-local addresses mean nothing without the name of an interface.
      .filter(({ address, family, internal }) => !internal && families.includes(family) && !address.startsWith('fe80:'))
      .map(({ address, family }) => `${scheme}//${family === 'IPv6' ? `[${address}]` : address}:${port}`),
  );
}
