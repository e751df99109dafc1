import { childElements, childrenNamed, firstChildNamed, primitiveIdOf, type XmlElement } from '@systole/cib';
import { ticketsIn } from './tickets-in.js';
import type { ShownResource } from './held-starts.js';

/** What keeps a resource from running, or from being promoted only. */
interface Wait {
  /** For people: `ticket siteA`, `db, which is disabled`. */
  readonly text: string;
  readonly promotionOnly: boolean;
}

/** One resource that can't run where, or before, another does not. */
interface Dependency {
  readonly dependent: string;
  readonly primary: string;
  /** It is the promoted instance that it needs. */
  readonly onPromoted: boolean;
}

type Waits = ReadonlyMap<string, Wait>;

/**
 * Resources that run nowhere because somebody wants it so, with `waitsFor`: those that need a ticket that this cluster does not have (a passive site is well), and
 * those that need one which waits for a ticket or is disabled, by their group or by a mandatory colocation or order without sets.
 */
export function withStoppedOnPurpose(resources: readonly ShownResource[], cib: XmlElement): readonly ShownResource[] {
  const own = new Map<string, Wait>();
  for (const [name, wait] of ticketWaits(cib)) own.set(name, stronger(own.get(name), wait));
  if (own.size === 0 && !resources.some(isAnyDisabled)) return resources;
  const known = new Set(resources.flatMap(namesIn));
  const dependencies = dependenciesIn(cib).filter(({ dependent }) => known.has(dependent));
  for (;;) {
    const waits = new Map<string, Wait>();
    for (const resource of resources) spread(resource, own, undefined, waits);
    const further = dependencies.flatMap(({ dependent, primary, onPromoted }): readonly [string, Wait][] => {
      const wait = waits.get(primary);
      if (wait === undefined || (wait.promotionOnly && !onPromoted)) return [];
      return waits.get(dependent)?.promotionOnly === false ? [] : [[dependent, { text: wait.text, promotionOnly: false }]];
    });
    if (further.length === 0) return resources.map((resource) => withWaits(resource, waits));
    for (const [dependent, wait] of further) own.set(dependent, wait);
  }
}

/** Whether it, or anything in it, is disabled. */
function isAnyDisabled({ disabled, children }: ShownResource): boolean {
  return disabled === true || children.some(isAnyDisabled);
}

/** The name of what is cloned stands for its instances. */
function nameOf({ id }: ShownResource): string {
  return primitiveIdOf(id);
}

function namesIn(resource: ShownResource): readonly string[] {
  return [nameOf(resource), ...resource.children.flatMap(namesIn)];
}

/**
 * Writes down who in a tree waits, by name, and says whether this one does: what waits takes along what is in it, and in a group what comes later. A group waits
 * with any of its members, anything else with all that is in it.
 */
function spread(resource: ShownResource, own: Waits, above: Wait | undefined, into: Map<string, Wait>): Wait | undefined {
  const name = nameOf(resource);
  const isOff = resource.disabled === true && resource.kind === 'primitive';
  const wait = isOff ? offBy(resource) : strongest([above, own.get(name)]);
  const below: (Wait | undefined)[] = [];
  for (const child of resource.children) {
    const earlier = resource.kind === 'group' ? below.filter((one) => one?.promotionOnly === false) : [];
    below.push(spread(child, own, strongest([wait, ...earlier]), into));
  }
  const isFromBelow = resource.kind === 'group' || (below.length > 0 && !below.includes(undefined));
  const found = strongest([wait, ...(isFromBelow ? below : [])]);
  if (found !== undefined) into.set(name, stronger(into.get(name), found));
  return found;
}

/** One that is up to `Unpromoted` by its `target-role` is disabled, too, and runs. */
function offBy({ id, role, nextRole }: ShownResource): Wait {
  return { text: `${id}, which is disabled`, promotionOnly: role !== 'Stopped' || nextRole !== 'Stopped' };
}

function stronger(one: Wait | undefined, other: Wait): Wait {
  return one === undefined || (one.promotionOnly && !other.promotionOnly) ? other : one;
}

function strongest(waits: readonly (Wait | undefined)[]): Wait | undefined {
  return waits.find((wait) => wait?.promotionOnly === false) ?? waits.find((wait) => wait !== undefined);
}

function withWaits(resource: ShownResource, waits: Waits): ShownResource {
  const children = resource.children.map((child) => withWaits(child, waits));
  const wait = waits.get(nameOf(resource));
  if (wait === undefined || wait.promotionOnly || !isOff(resource) || resource.disabled === true) return { ...resource, children };
  return { ...resource, children, waitsFor: wait.text };
}

/** Whether nothing of it runs or is about to. */
function isOff({ kind, role, nextRole, disabled, children }: ShownResource): boolean {
  if (kind === 'primitive') return role === 'Stopped' && nextRole === 'Stopped';
  return disabled !== true && children.every(isOff);
}

/** By resource, as tickets that are not granted or in standby keep it from running (specification 07 §11). */
function* ticketWaits(cib: XmlElement): Generator<readonly [string, Wait]> {
  const tickets = ticketsIn(cib);
  const usable = new Set(tickets.flatMap(({ id, granted, standby }) => (granted && !standby ? [id] : [])));
  for (const constraint of constraintsIn(cib, 'rsc_ticket')) {
    const { ticket, rsc, 'rsc-role': role, 'loss-policy': policy } = constraint.attributes;
    if (ticket === undefined || usable.has(ticket)) continue;
    const waitOf = (needed: string | undefined): Wait => ({
      text: `ticket ${ticket}`,
      promotionOnly: isPromoted(needed) && policy?.toLowerCase() !== 'stop',
    });
    if (rsc !== undefined) yield [rsc, waitOf(role)];
    for (const set of childrenNamed(constraint, 'resource_set')) {
      for (const { attributes } of childrenNamed(set, 'resource_ref')) yield [attributes['id'] ?? '', waitOf(set.attributes['role'])];
    }
  }
}

function isPromoted(role: string | undefined): boolean {
  return ['promoted', 'master', 'promote'].includes(role?.toLowerCase() ?? '');
}

function dependenciesIn(cib: XmlElement): readonly Dependency[] {
  const colocations = constraintsIn(cib, 'rsc_colocation').flatMap(({ attributes }): readonly Dependency[] => {
    const { rsc, 'with-rsc': primary, 'with-rsc-role': role, 'rsc-role': ownRole, score } = attributes;
    if (rsc === undefined || primary === undefined || isPromoted(ownRole) || !/^\+?infinity$/i.test(score ?? '')) return [];
    return [{ dependent: rsc, primary, onPromoted: isPromoted(role) }];
  });
  const orders = constraintsIn(cib, 'rsc_order').flatMap(({ attributes }): readonly Dependency[] => {
    const { first, then, kind, score, 'first-action': action = 'start', 'then-action': thenAction = action } = attributes;
    const isMandatory = kind === undefined ? score === undefined || /^\+?infinity$/i.test(score) : kind.toLowerCase() === 'mandatory';
    const isOfStarts = ['start', 'promote'].includes(action) && thenAction === 'start';
    return first === undefined || then === undefined || !isMandatory || !isOfStarts
      ? []
      : [{ dependent: then, primary: first, onPromoted: isPromoted(action) }];
  });
  return [...colocations, ...orders];
}

function constraintsIn(cib: XmlElement, name: string): readonly XmlElement[] {
  const holders = childrenNamed(cib, 'configuration').flatMap((one) => firstChildNamed(one, 'constraints') ?? []);
  return holders.flatMap((holder) => childElements(holder).filter((one) => one.name === name));
}
