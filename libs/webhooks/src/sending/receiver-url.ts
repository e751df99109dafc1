import { addressIn, type AddressPolicy } from './address-policy.js';

/**
 * What is wrong with the address of a receiver, in words; undefined: nothing that can be seen before it is connected to.
 *
 * @param policy of whoever looks; what counts is the worker's
 */
export function mistakeIn(url: string, policy: AddressPolicy): string | undefined {
  if (!URL.canParse(url)) return 'is no URL';
  const { protocol, username, password, hash, hostname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not hold a user or a password: who asks is shown by the signature';
  if (hash !== '') return 'must not have a fragment';
  const address = addressIn(hostname);
  const isRefused = address === undefined ? /(^|\.)localhost\.?$/i.test(hostname) : !policy.allows(address);
  if (!isRefused || policy.allowsHost(hostname)) return undefined;
  return `leads to ${hostname}, where nothing is sent to: this machine, its link, and addresses of nobody are refused unless SYSTOLE_WEBHOOK_ALLOW names them`;
}
