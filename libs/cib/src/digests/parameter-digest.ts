import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Names that never count in a digest (specification 01 §11.1, filter F). */
const UNCOUNTED = new Set(['id', 'crm_feature_set', 'op-digest', 'on_node', 'on_node_uuid', 'pcmk_external_ip']);
const META_PREFIX = 'CRM_meta_';
const META_TIMEOUT = 'CRM_meta_timeout';

/**
 * Leaves the parameters that count in a digest: meta-attributes and bookkeeping go, except the timeout of a recurring operation
 * (specification 01 §11.1, filter F).
 */
export function countedParameters(parameters: ReadonlyMap<string, string>): Map<string, string> {
  const counted = new Map<string, string>();
  const interval = parameters.get('CRM_meta_interval');
  const recurring = interval !== undefined && interval !== '0';
  for (const [name, value] of parameters) {
    if (name === META_TIMEOUT && recurring) counted.set(name, value);
    else if (!name.startsWith(META_PREFIX) && !UNCOUNTED.has(name)) counted.set(name, value);
  }
  return counted;
}

/**
 * The parameters behind `op-restart-digest`: those named in `op-force-restart`, a blank-separated list; all of them without one
 * (specification 01 §11.3). `counted` is already filtered.
 */
export function restartParameters(counted: ReadonlyMap<string, string>, forceRestart: string | undefined): Map<string, string> {
  if (forceRestart === undefined) return new Map(counted);
  const names = wordsOf(forceRestart);
  return new Map([...counted].filter(([name]) => names.has(name)));
}

/** Names that unfencing keeps out of its secure digest; histories name their own (specification 01 §11.3). */
export const DEFAULT_PRIVATE_PARAMETERS = 'passwd password user';

/** What the secure digest of an operation is made from. */
export interface SecureDigestInput {
  /** All parameters that count: resource, operation and, for recurring ones, the timeout. */
  readonly counted: ReadonlyMap<string, string>;
  /** The resource's own parameters only, for histories of feature sets before 3.16.0. */
  readonly resourceParameters: ReadonlyMap<string, string>;
  /** Blank-separated names to leave out. */
  readonly privateNames: string | undefined;
  /** The history is of feature set 3.16.0 or newer. */
  readonly modern: boolean;
  /** The resource is a fence device. */
  readonly fencing: boolean;
}

/**
 * The parameters behind `op-secure-digest` (specification 01 §11.3). For modern histories the timeout of a recurring operation stays in, so
 * that the digest can match the stored one.
 */
export function secureParameters(input: SecureDigestInput): Map<string, string> {
  const privateNames = wordsOf(input.privateNames ?? '');
  const start = input.modern ? input.counted : countedParameters(input.resourceParameters);
  const dropsFencing = !input.modern && input.fencing;
  return new Map([...start].filter(([name]) => !privateNames.has(name) && !(dropsFencing && isFencingParameter(name))));
}

const FENCING_PARAMETERS = new Set([
  'provides',
  'stonith-timeout',
  'pcmk_action_limit',
  'pcmk_delay_base',
  'pcmk_delay_max',
  'pcmk_host_argument',
  'pcmk_host_check',
  'pcmk_host_list',
  'pcmk_host_map',
]);

/** Parameters that the cluster reads from a fence device, as opposed to its agent. */
function isFencingParameter(name: string): boolean {
  return FENCING_PARAMETERS.has(name) || (name.startsWith('pcmk_') && /_(?:action|timeout|retries)$/.test(name));
}

/** MD5 of the parameters as the cluster writes them, in lower-case hexadecimal (specification 01 §11.2). Nothing is filtered. */
export function parameterDigest(parameters: ReadonlyMap<string, string>): string {
  return textDigest(digestText(parameters));
}

/** Digests of one run. The operations of a resource have mostly the same parameters, or none: each text is hashed once. */
export class ParameterDigests {
  private readonly known = new Map<string, string>();

  /** The same as {@link parameterDigest}. */
  of(parameters: ReadonlyMap<string, string>): string {
    const text = digestText(parameters);
    let digest = this.known.get(text);
    if (digest === undefined) this.known.set(text, (digest = textDigest(text)));
    return digest;
  }
}

function textDigest(text: string): string {
  return bytesToHex(md5(utf8ToBytes(text)));
}

/** The text that is hashed: a `parameters` element with sorted attributes, a blank before and a newline after. */
function digestText(parameters: ReadonlyMap<string, string>): string {
  const names = [...parameters.keys()].sort(compareCodePoints);
  const attributes = names.map((name) => ` ${name}="${escapeValue(parameters.get(name) ?? '')}"`);
  return ` <parameters${attributes.join('')}/>\n`;
}

/** Order of UTF-8 bytes, which is the order of code points. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const NAMED: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

function escapeValue(value: string): string {
  return value.replace(
    /[<>&"\p{Cc}]/gu,
    (character) => NAMED[character] ?? (character > '\x7f' ? character : `&#x${hexByte(character.charCodeAt(0))};`),
  );
}

function hexByte(code: number): string {
  return code.toString(16).toUpperCase().padStart(2, '0');
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}
