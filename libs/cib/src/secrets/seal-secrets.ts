import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sameXml } from '../xml/same-xml.js';
import type { XmlElement } from '../xml/element.js';
import { rewriteChildren, withAttributes } from '../xml/rewrite.js';
import { lentPairsIn, referencesIn, type LentPair } from './lent-secrets.js';
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
  readonly attribute: 'value' | 'id-ref';
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
 * value was given: with that owner, parameter and agent. Elsewhere it would tell the value to another agent than it was meant for. What another resource takes over by `id-ref` is elsewhere, too; whoever gives the value may give
 * it to both.
 *
 * @param document a whole CIB
 */
export function sealSecrets(document: XmlElement, sealing: Sealing, { before, of, restored }: SealedFrom): Sealed {
  const pairs = secretsIn(document, sealing.patterns);
  const lent = lentPairsIn(document, pairs);
  if (pairs.length === 0 && lent.length === 0) return { document, secrets: [], mistakes: [] };
  const standing = before === undefined ? [] : secretsIn(before, sealing.patterns);
  const was = standingIn(standing);
  const isToKeep = (at: SecretPair): boolean => at.reference === undefined && !(of === 'changed' && was.stoodBefore(at));
  const again = recognised(pairs.filter(isToKeep), standing, sealing.held);
  const made: NewSecret[] = [];
  const madeOf = new Map<string, NewSecret>();
  const mistakes: SecretMistake[] = [];
  const values = new Map<XmlElement, string>();

  const keep = (at: SecretPlace, value: string): string => {
    const key = valueKey(at, value);
    const same = again.get(key) ?? madeOf.get(key);
    if (same !== undefined && isSameAgents(same, at)) return heldReference(same.id);
    const id = bytesToHex(sha256(utf8ToBytes(`${sealing.seed} ${String(made.length)}`))).slice(0, 32);
    const secret = { id, owner: at.owner, parameter: at.parameter, agents: at.agents, value };
    made.push(secret);
    madeOf.set(key, secret);
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
      if (!isToKeep(at)) continue;
      if (sealing.mayKeep) values.set(pair, keep(at, value));
      else refuse(at, 'no-key', NO_KEY);
    } else if (reference === 'malformed') {
      refuse(at, 'malformed', `this is no reference to a secret: write ${REFERENCE_FORMS}, or the value itself`);
    } else if (reference.kind === 'held' && !was.stoodAlike(at)) {
      const judged = judgeReference(at, reference.id, { sealing, restored });
      if (judged === 'fits') continue;
      if (judged.kind === 'elsewhere' && sealing.mayMove && judged.value !== undefined && sealing.mayKeep) {
        values.set(pair, keep(at, judged.value));
      } else refuse(at, judged.kind, judged.message);
    }
  }
  if (lent.length > 0) mistakes.push(...lendingMistakes(lent, lendingBefore(before, standing), sealing.mayMove));
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
  // What a restored version has in its place was told to that program before programs were written down.
  const isOfThen = restored && secret.agents.length === 0 && at.agents.every((agent) => agent.startsWith('alert:'));
  if (!isSamePlace(secret, at) || !(isSameAgents(secret, at) || isOfThen)) {
    const meant = `it was given for ${secret.parameter} of ${secret.owner}${namesOf(secret.agents)}`;
    return {
      kind: 'elsewhere',
      message: `${meant}, and is told to nobody else: give the value anew. Who may see secrets can have it used here`,
      ...(secret.value === undefined ? {} : { value: secret.value }),
    };
  }
  if (secret.erased === true && !restored) return { kind: 'erased', message: 'this secret was erased: give the value anew' };
  return 'fits';
}

/** What was taken over by `id-ref` before a write. */
interface LendingBefore {
  /** The same value, by the same borrower. */
  readonly isSame: (at: LentPair) => boolean;
  /** The borrower had its reference there, and no secret was to be read by it under this parameter. */
  readonly wasWithout: (at: LentPair) => boolean;
}

function lendingBefore(before: XmlElement | undefined, standing: readonly SecretPair[]): LendingBefore {
  if (before === undefined) return { isSame: () => false, wasWithout: () => false };
  const lent = lentPairsIn(before, standing);
  const same = new Set(lent.map(lentKey));
  const given = new Set(lent.map(lentParameterKey));
  const hadReference = referencesIn(before);
  return {
    isSame: (at) => same.has(lentKey(at)),
    wasWithout: (at) => hadReference(at) && !given.has(lentParameterKey(at)),
  };
}

/** What nobody may take over by `id-ref` who has not done so before, and may not see secrets; and what nobody's reference is to lend that was written before there was a secret: whoever gives that need not know of it. */
function lendingMistakes(lent: readonly LentPair[], before: LendingBefore, mayMove: boolean): readonly SecretMistake[] {
  return lent.flatMap((at): readonly SecretMistake[] => {
    const { borrower, lender, parameter, value, path, line } = at;
    if (before.isSame(at)) return [];
    const refused = (message: string): readonly SecretMistake[] => [
      { kind: 'elsewhere', message, path, ...(line === undefined ? {} : { line }), attribute: 'id-ref' },
    ];
    if (lender !== undefined && before.wasWithout(at)) {
      return refused(
        `${borrower} would be told ${parameter} of ${lender}, as its reference (id-ref) stood there before this secret: take the reference out of ${borrower} first. Who may see secrets can write it again afterwards`,
      );
    }
    // Whoever gives a value knows it.
    if (heldIdIn(value) === undefined || (mayMove && lender !== undefined)) return [];
    return refused(
      lender === undefined
        ? `${borrower} takes over ${parameter} by id-ref from where no parameters are: write it among the parameters of ${borrower}`
        : `${borrower} takes over ${parameter} by id-ref from ${lender}, and it is told to nobody else: write the value among the parameters of ${borrower}. Who may see secrets can have it used here`,
    );
  });
}

function lentKey({ borrower, lender = '', parameter, value }: LentPair): string {
  return JSON.stringify([borrower, lender, parameter, value]);
}

/** Not by its lender, which may have another name or have been moved since. */
function lentParameterKey({ borrower, reference, parameter }: LentPair): string {
  return JSON.stringify([borrower, reference, parameter]);
}

/** Most agents that a message names: a group may have thousands. */
const MOST_NAMED = 5;

function namesOf(agents: readonly string[]): string {
  if (agents.length === 0) return '';
  const more = agents.length - MOST_NAMED;
  return ` (${agents.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''})`;
}

type KnownSecret = HeldSecret & { readonly id: string };

/**
 * The clear values that are those which their places had before, by place and value. Each value that is kept is held against one clear value of a write, or those who may not see it could have a whole list of guesses
 * answered by one request. That is the value in the pair that it stood in; what stands nowhere any more is held against the first other value of its place.
 */
function recognised(
  clear: readonly SecretPair[],
  standing: readonly SecretPair[],
  held: Sealing['held'],
): ReadonlyMap<string, KnownSecret> {
  const found = new Map<string, KnownSecret>();
  const [left, idOfPair] = [new Map<string, Map<string, KnownSecret>>(), new Map<string, string>()];
  for (const pair of standing) {
    const { reference } = pair;
    if (typeof reference !== 'object' || reference.kind !== 'held') continue;
    const secret = Object.hasOwn(held, reference.id) ? held[reference.id] : undefined;
    if (secret?.value === undefined) continue;
    const ids = left.get(placeKey(pair)) ?? new Map<string, KnownSecret>();
    left.set(placeKey(pair), ids.set(reference.id, { ...secret, id: reference.id }));
    idOfPair.set(pairKey(pair), reference.id);
  }
  const compare = (at: SecretPair, id: string): boolean => {
    const ids = left.get(placeKey(at));
    const secret = ids?.get(id);
    if (secret?.value === undefined) return false;
    ids?.delete(id);
    if (!isSameAgents(secret, at) || !sameText(secret.value, at.value)) return false;
    found.set(valueKey(at, at.value), secret);
    return true;
  };
  for (const at of clear) {
    const id = idOfPair.get(pairKey(at));
    if (id !== undefined) compare(at, id);
  }
  for (const at of clear) {
    if (found.has(valueKey(at, at.value))) continue;
    for (const id of left.get(placeKey(at))?.keys() ?? []) if (compare(at, id)) break;
  }
  return found;
}

/** What there was before, asked for each secret. */
interface Standing {
  /** In clear, in the same place, and nothing of its resource is written. */
  readonly stoodBefore: (at: SecretPair) => boolean;
  /** The same reference was there before, and nobody else is given it: whatever there is to say about it is no news. */
  readonly stoodAlike: (at: SecretPair) => boolean;
}

function standingIn(standing: readonly SecretPair[]): Standing {
  const alike = new Map<string, SecretPair[]>();
  for (const pair of standing) {
    const key = valueKey(pair, pair.value);
    const known = alike.get(key) ?? [];
    // All secrets that stand in one element are given to the same agents.
    if (known.at(-1)?.of !== pair.of) known.push(pair);
    alike.set(key, known);
  }
  const some = (at: SecretPair, judge: (before: SecretPair) => boolean): boolean => alike.get(valueKey(at, at.value))?.some(judge) === true;
  return {
    stoodBefore: (at) => some(at, (before) => isSameElement(before.of, at.of)),
    stoodAlike: (at) => some(at, (before) => isSameAgents(before, at)),
  };
}

function placeKey({ owner, parameter }: SecretPlace): string {
  return JSON.stringify([owner, parameter]);
}

function pairKey(at: SecretPair): string {
  return JSON.stringify([at.owner, at.parameter, at.pair.attributes['id']]);
}

function valueKey({ owner, parameter }: SecretPlace, value: string): string {
  return JSON.stringify([owner, parameter, value]);
}

function isSamePlace(one: SecretPlace, other: SecretPlace): boolean {
  return one.owner === other.owner && one.parameter === other.parameter;
}

/** Whether nobody is given it that it was not given for. */
function isSameAgents(secret: SecretPlace, at: SecretPlace): boolean {
  return hasAll(secret.agents, at.agents);
}

// One element may hold thousands of secrets, and be given to as many agents: what two of them have in common is looked for once.
const hasAll = remembered((agents: readonly string[], asked: readonly string[]) => {
  const given = new Set(agents);
  return asked.every((agent) => given.has(agent));
});
const isSameElement = remembered<XmlElement>(sameXml);

function remembered<T extends object>(judge: (one: T, other: T) => boolean): (one: T, other: T) => boolean {
  const judged = new WeakMap<T, WeakMap<T, boolean>>();
  return (one, other) => {
    const known = judged.get(one) ?? new WeakMap<T, boolean>();
    judged.set(one, known);
    const answer = known.get(other) ?? judge(one, other);
    known.set(other, answer);
    return answer;
  };
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
