import { CibIndex, descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { pairElements } from '../nvpairs/nvpair-sets.js';
import { placeOfChild, placeOfRoot, type Place } from '../schema/problem-path.js';
import { childElements, firstChildNamed, type XmlElement } from '../xml/element.js';
import { heldPairsIn, isOwner, type SecretPair } from './secret-places.js';
import { heldIdIn } from './secret-reference.js';

/** A parameter that a resource takes over by `id-ref` (of a set, of a pair, of operations) from where another one's are written. */
export interface LentPair extends Place {
  /** Id of the resource, template or alert that takes it over. */
  readonly borrower: string;
  readonly pair: XmlElement;
  readonly parameter: string;
  readonly value: string;
  /** In whose parameters it is written; undefined: where no parameters are, such as attributes of a node. */
  readonly lender: string | undefined;
  /** The `id-ref` by which the borrower refers to it, or to what leads to it. */
  readonly reference: string;
}

/** Where parameters are, below what has some. */
const LEADS_TO_PARAMETERS: ReadonlySet<string> = new Set(['instance_attributes', 'operations', 'op']);

const refersById = perPart((part) => {
  for (const { attributes } of descendants(part)) if (attributes['id-ref'] !== undefined) return true;
  return false;
});

/**
 * What resources, templates and alerts take over of one another's secrets, or of whatever else refers to one, in the order of the document. Not what is shared as it stands: by a template, by what contains a resource.
 *
 * @param document a whole CIB
 * @param pairs its secrets (`secretsIn`)
 */
export function lentPairsIn(document: XmlElement, pairs: readonly SecretPair[]): readonly LentPair[] {
  const configuration = firstChildNamed(document, 'configuration');
  const parts = configuration === undefined ? [] : ['resources', 'alerts'].flatMap((name) => partsOf(configuration, name));
  const referring = parts.filter(({ part }) => refersById(part));
  if (referring.length === 0) return [];
  const index = new CibIndex(document);
  const lenders = new Map(pairs.map(({ pair, owner }) => [pair, owner]));
  const holders = holdersIn(document);
  const found: LentPair[] = [];

  const take = (pair: XmlElement, place: Place, { borrower, reference }: Borrowing): void => {
    const { name: parameter, value } = pair.attributes;
    // What no reference leads to is the borrower's own.
    if (parameter === undefined || value === undefined || reference === undefined) return;
    const lender = lenders.get(pair);
    if (lender === undefined ? heldIdIn(value) === undefined : holders.of(borrower).has(lender)) return;
    found.push({ borrower, pair, parameter, value, lender, reference, ...place });
  };
  const look = (written: XmlElement, place: Place, from: Borrowing): void => {
    const stands = index.resolve(written);
    const by = referredBy(written, from);
    if (stands?.name === 'instance_attributes') {
      for (const pair of pairElements(stands)) {
        const resolved = index.resolve(pair);
        if (resolved !== undefined) take(resolved, place, referredBy(pair, by));
      }
      return;
    }
    if (stands === undefined) return;
    eachChild(stands, place, (child, at) => {
      if (LEADS_TO_PARAMETERS.has(child.name)) look(child, stands === written ? at : place, by);
    });
  };
  const walk = (owner: XmlElement, place: Place): void => {
    const { id } = owner.attributes;
    eachChild(owner, place, (child, at) => {
      if (isOwner(child)) walk(child, at);
      else if (id !== undefined && LEADS_TO_PARAMETERS.has(child.name)) look(child, at, { borrower: id, reference: undefined });
    });
  };
  for (const { part, place } of referring) walk(part, place);
  return found;
}

/** Who takes over, and the first reference on the way. */
interface Borrowing {
  readonly borrower: string;
  readonly reference: string | undefined;
}

function referredBy(element: XmlElement, { borrower, reference }: Borrowing): Borrowing {
  return { borrower, reference: reference ?? element.attributes['id-ref'] };
}

/**
 * The references of resources, templates and alerts that lead to parameters, whatever stands there.
 *
 * @param document a whole CIB
 * @returns whether a borrower has a reference of that name among its own parameters and operations
 */
export function referencesIn(document: XmlElement): (at: Pick<LentPair, 'borrower' | 'reference'>) => boolean {
  const configuration = firstChildNamed(document, 'configuration');
  const parts = configuration === undefined ? [] : ['resources', 'alerts'].flatMap((name) => partsOf(configuration, name));
  const found = new Map<string, Set<string>>();
  const collect = (element: XmlElement, borrower: string): void => {
    const reference = element.attributes['id-ref'];
    if (reference !== undefined) found.set(borrower, (found.get(borrower) ?? new Set()).add(reference));
    for (const child of childElements(element))
      if (LEADS_TO_PARAMETERS.has(child.name) || child.name === 'nvpair') collect(child, borrower);
  };
  const walk = (owner: XmlElement): void => {
    const { id } = owner.attributes;
    for (const child of childElements(owner)) {
      if (isOwner(child)) walk(child);
      else if (id !== undefined && LEADS_TO_PARAMETERS.has(child.name)) collect(child, id);
    }
  };
  for (const { part } of parts) if (refersById(part)) walk(part);
  return ({ borrower, reference }) => found.get(borrower)?.has(reference) === true;
}

/** Whose parameters are given to a resource: its own, its template's, those of what contains it. */
export interface SecretHolders {
  /** Ids, the resource's own first. Undefined: there is no such resource. */
  readonly known: (resource: string) => ReadonlySet<string> | undefined;
  /** The same; of what is not there nothing but its own. */
  readonly of: (id: string) => ReadonlySet<string>;
}

const holdersOf = new WeakMap<XmlElement, SecretHolders>();

/** Known with the configuration, so that it may be asked for with each action. @param document a whole CIB */
export function holdersIn(document: XmlElement): SecretHolders {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return holdersAmong([]);
  const known = holdersOf.get(configuration) ?? holdersAmong(partsOf(configuration, 'resources').map(({ part }) => part));
  holdersOf.set(configuration, known);
  return known;
}

function holdersAmong(parts: readonly XmlElement[]): SecretHolders {
  const all = new Map<string, ReadonlySet<string>>();
  const walk = (element: XmlElement, around: readonly string[]): void => {
    const { id, template } = element.attributes;
    const here = [...(id === undefined ? [] : [id]), ...(template === undefined ? [] : [template]), ...around];
    if (id !== undefined) all.set(id, new Set(here));
    for (const child of childElements(element)) if (isOwner(child)) walk(child, here);
  };
  for (const part of parts) walk(part, []);
  return { known: (resource) => all.get(resource), of: (id) => all.get(id) ?? new Set([id]) };
}

/** Where a secret is referred to, and by whom it is taken over from there. */
interface Standing {
  readonly owner: string;
  readonly id: string;
  readonly borrowers: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

const standingOf = new WeakMap<XmlElement, readonly Standing[]>();

/**
 * Whether the value of a secret is meant for a resource: it is given to its owner, which is the resource, its template or what contains it; or the resource takes it over from there by `id-ref`, which nobody may have written who may
 * not see secrets. What stands under another name is meant for it where its owner is no more: renamed before secrets went along. A resource that is not in the configuration any more ends with what it began with.
 *
 * @param resource id of a primitive
 * @param secret its owner and its id
 */
export function isMeantFor(
  document: XmlElement,
  resource: string,
  { owner, id }: { readonly owner: string; readonly id: string },
): boolean {
  const holders = holdersIn(document);
  const own = holders.known(resource);
  if (own === undefined || own.has(owner)) return true;
  const isOwnerGone = holders.known(owner) === undefined;
  return standingIn(document).some(
    (at) =>
      at.id === id && (at.owner === owner || isOwnerGone) && (own.has(at.owner) || [...own].some((holder) => at.borrowers.has(holder))),
  );
}

function standingIn(document: XmlElement): readonly Standing[] {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return [];
  const known = standingOf.get(configuration) ?? findStanding(document);
  standingOf.set(configuration, known);
  return known;
}

function findStanding(document: XmlElement): readonly Standing[] {
  const pairs = heldPairsIn(document);
  const borrowers = new Map<XmlElement, Set<string>>();
  for (const { pair, borrower } of lentPairsIn(document, pairs)) borrowers.set(pair, (borrowers.get(pair) ?? new Set()).add(borrower));
  return pairs.map(({ pair, owner, id }) => ({ owner, id, borrowers: borrowers.get(pair) ?? NOBODY }));
}

function partsOf(configuration: XmlElement, name: string): readonly { readonly part: XmlElement; readonly place: Place }[] {
  const parts: { part: XmlElement; place: Place }[] = [];
  eachChild(configuration, placeOfRoot(configuration, '/cib/configuration'), (section, at) => {
    if (section.name === name) eachChild(section, at, (part, place) => parts.push({ part, place }));
  });
  return parts;
}

function eachChild(element: XmlElement, place: Place, visit: (child: XmlElement, place: Place) => void): void {
  const counts = new Map<string, number>();
  for (const child of childElements(element)) {
    const count = (counts.get(child.name) ?? 0) + 1;
    counts.set(child.name, count);
    visit(child, placeOfChild(child, count, place));
  }
}
