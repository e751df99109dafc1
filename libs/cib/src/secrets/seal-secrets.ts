import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sameXml } from '../xml/same-xml.js';
import type { XmlElement } from '../xml/element.js';
import { rewriteChildren, withAttributes } from '../xml/rewrite.js';
import type { SecretPatterns } from './secret-parameters.js';
import { secretsIn, type SecretPair, type SecretPlace } from './secret-places.js';
import { heldIdIn, heldReference, REFERENCE_FORMS } from './secret-reference.js';

/** A secret that the server keeps for a cluster. */
export interface HeldSecret extends SecretPlace {
  /** Absent: it was erased, or can't be read with the keys that there are. */
  readonly value?: string;
  readonly erased?: true;
}

/** With what secrets are taken out of a configuration. */
export interface Sealing {
  /** Random, another one for each decision: ids are made from it. */
  readonly seed: string;
  /** By id: all of the cluster. */
  readonly held: Readonly<Record<string, HeldSecret>>;
  readonly patterns: SecretPatterns;
  /** Whether a value can be kept: false where the server has no key. */
  readonly mayKeep: boolean;
  /** Whether who asks may see secrets, and so may have one used elsewhere. */
  readonly mayMove: boolean;
}

/** A secret to be kept together with the change that brings it in. */
export interface NewSecret extends SecretPlace {
  readonly id: string;
  readonly value: string;
}

/** Why a value can't stand where it does. */
export interface SecretMistake {
  readonly kind: 'malformed' | 'unknown' | 'elsewhere' | 'erased' | 'no-key';
  readonly message: string;
  readonly path: string;
  readonly line?: number;
  readonly attribute: 'value';
}

export interface Sealed {
  readonly document: XmlElement;
  readonly secrets: readonly NewSecret[];
  readonly mistakes: readonly SecretMistake[];
}

/** How a configuration came about. */
export interface SealedFrom {
  /** What was there before; undefined: nothing. */
  readonly before: XmlElement | undefined;
  /** `all`: whatever stands there in clear. `changed`: what was in clear before stays so where nothing of its resource is written, for a reference in its place has the resource started again. */
  readonly of: 'all' | 'changed';
  /** It was the configuration once: what was erased since may come back, and says so when it is used. */
  readonly restored: boolean;
}

/**
 * Takes the values of secrets out of a configuration and puts references in their places. The value that a place had before keeps its reference, so that nothing changes. A reference that is given stays where its
 * value was given: with that owner, parameter and agent. Elsewhere it would tell the value to another agent than it was meant for.
 *
 * @param document a whole CIB
 */
export function sealSecrets(document: XmlElement, sealing: Sealing, { before, of, restored }: SealedFrom): Sealed {
  const pairs = secretsIn(document, sealing.patterns);
  if (pairs.length === 0) return { document, secrets: [], mistakes: [] };
  const standing = before === undefined ? [] : secretsIn(before, sealing.patterns);
  const known = placesOf(standing);
  const made: NewSecret[] = [];
  const mistakes: SecretMistake[] = [];
  const values = new Map<XmlElement, string>();

  const keep = (at: SecretPlace, value: string): string => {
    const alike = [...standingAt(at, known, sealing.held), ...made.filter((secret) => isSamePlace(secret, at))];
    const same = alike.find((secret) => secret.value !== undefined && isSameAgents(secret, at) && sameText(secret.value, value));
    if (same !== undefined) return heldReference(same.id);
    const id = bytesToHex(sha256(utf8ToBytes(`${sealing.seed} ${String(made.length)}`))).slice(0, 32);
    made.push({ id, owner: at.owner, parameter: at.parameter, agents: at.agents, value });
    return heldReference(id);
  };
  const refuse = (at: SecretPair, kind: SecretMistake['kind'], message: string): void => {
    const { path, line } = at;
    mistakes.push({
      kind,
      message: `${at.parameter} of ${at.owner}: ${message}`,
      path,
      ...(line === undefined ? {} : { line }),
      attribute: 'value',
    });
  };

  for (const at of pairs) {
    const { reference, value, pair } = at;
    if (reference === undefined) {
      if (of === 'changed' && stoodBefore(at, standing)) continue;
      if (sealing.mayKeep) values.set(pair, keep(at, value));
      else refuse(at, 'no-key', NO_KEY);
    } else if (reference === 'malformed') {
      refuse(at, 'malformed', `this is no reference to a secret: write ${REFERENCE_FORMS}, or the value itself`);
    } else if (reference.kind === 'held' && !stoodAlike(at, standing)) {
      const judged = judgeReference(at, reference.id, { sealing, restored });
      if (judged === 'fits') continue;
      if (judged.kind === 'elsewhere' && sealing.mayMove && judged.value !== undefined && sealing.mayKeep) {
        values.set(pair, keep(at, judged.value));
      } else refuse(at, judged.kind, judged.message);
    }
  }
  return { document: values.size === 0 ? document : withValues(document, values), secrets: made, mistakes };
}

const NO_KEY =
  'the server has no key to keep secrets with: set SYSTOLE_SECRETS_KEY_FILE there, or give a reference to what is on the nodes (systole-secret:file:/path)';

interface Misplaced {
  readonly kind: 'unknown' | 'elsewhere' | 'erased';
  readonly message: string;
  readonly value?: string;
}

function judgeReference(
  at: SecretPair,
  id: string,
  { sealing, restored }: { readonly sealing: Sealing; readonly restored: boolean },
): 'fits' | Misplaced {
  const secret = Object.hasOwn(sealing.held, id) ? sealing.held[id] : undefined;
  if (secret === undefined) {
    return {
      kind: 'unknown',
      message: 'this cluster has no such secret: give the value itself (of another cluster it is in an export with secrets=clear)',
    };
  }
  if (!isSamePlace(secret, at) || !isSameAgents(secret, at)) {
    const meant = `it was given for ${secret.parameter} of ${secret.owner}${secret.agents.length === 0 ? '' : ` (${secret.agents.join(', ')})`}`;
    return {
      kind: 'elsewhere',
      message: `${meant}, and is told to nobody else: give the value anew. Who may see secrets can have it used here`,
      ...(secret.value === undefined ? {} : { value: secret.value }),
    };
  }
  if (secret.erased === true && !restored) return { kind: 'erased', message: 'this secret was erased: give the value anew' };
  return 'fits';
}

/** Ids of what stood in each place before. */
type Known = ReadonlyMap<string, ReadonlySet<string>>;

function placesOf(pairs: readonly SecretPair[]): Known {
  const known = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const { reference } = pair;
    if (typeof reference !== 'object' || reference.kind !== 'held') continue;
    const ids = known.get(keyOf(pair)) ?? new Set();
    known.set(keyOf(pair), ids.add(reference.id));
  }
  return known;
}

/** What is kept of what stood there. */
function standingAt(at: SecretPlace, known: Known, held: Sealing['held']): readonly (HeldSecret & { readonly id: string })[] {
  return [...(known.get(keyOf(at)) ?? [])].flatMap((id) => {
    const secret = Object.hasOwn(held, id) ? held[id] : undefined;
    return secret === undefined ? [] : [{ ...secret, id }];
  });
}

function keyOf({ owner, parameter }: SecretPlace): string {
  return JSON.stringify([owner, parameter]);
}

function isSamePlace(one: SecretPlace, other: SecretPlace): boolean {
  return one.owner === other.owner && one.parameter === other.parameter;
}

/** Whether nobody is given it that it was not given for. */
function isSameAgents(secret: SecretPlace, at: SecretPlace): boolean {
  return at.agents.every((agent) => secret.agents.includes(agent));
}

/** In clear, in the same place, and nothing of its resource is written. */
function stoodBefore(at: SecretPair, standing: readonly SecretPair[]): boolean {
  return standing.some((before) => isSamePlace(before, at) && before.value === at.value && sameXml(before.of, at.of));
}

/** The same reference was there before, and nobody else is given it: whatever there is to say about it is no news. */
function stoodAlike(at: SecretPair, standing: readonly SecretPair[]): boolean {
  return standing.some((before) => isSamePlace(before, at) && before.value === at.value && isSameAgents(before, at));
}

/** In a time that does not tell how much of them is the same. */
function sameText(one: string, other: string): boolean {
  const [a, b] = [sha256(utf8ToBytes(one)), sha256(utf8ToBytes(other))];
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0;
}

function withValues(document: XmlElement, values: ReadonlyMap<XmlElement, string>): XmlElement {
  const changed = (element: XmlElement): XmlElement => {
    const value = values.get(element);
    return value === undefined ? element : withAttributes(element, { value });
  };
  // A pair has no children, so that it is the very element that was found.
  return rewriteChildren(document, changed);
}

/** The same document with the values of secrets in clear, as far as they are known. */
export function withClearSecrets(document: XmlElement, values: Readonly<Record<string, string>>): XmlElement {
  return rewriteChildren(document, (element) => {
    const { value } = element.attributes;
    if (element.name !== 'nvpair' || value === undefined) return element;
    const id = heldIdIn(value);
    const clear = id === undefined || !Object.hasOwn(values, id) ? undefined : values[id];
    return clear === undefined ? element : withAttributes(element, { value: clear });
  });
}
