import { parseDateTime } from '../time/date-time.js';
import type { DateTime } from '../time/date-time.js';
import { childElements, childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/**
 * The location constraints that an operator's move and ban leave behind, by id, attributes and rule as `crm_resource --move` and `--ban` (Pacemaker 2.1) were seen to write them, so that each finds what the other
 * has made, and `pcs resource clear` too.
 */
export interface PlacementWish {
  readonly resource: string;
  /** Its name. */
  readonly node: string;
  /** Of the promoted role only; of any when it is `Started`. */
  readonly role: 'Started' | 'Promoted';
  /** The moment at which it ends; undefined: never. */
  readonly until: DateTime | undefined;
}

/** `cli-prefer-R`: the resource goes to the node wherever that can be. */
export function preferConstraint(wish: PlacementWish): XmlElement {
  const { resource } = wish;
  const ids = {
    rule: `cli-prefer-rule-${resource}`,
    expression: `cli-prefer-expr-${resource}`,
    lifetime: `cli-prefer-lifetime-end-${resource}`,
  };
  return constraint(preferId(resource), wish, 'INFINITY', ids);
}

/** `cli-ban-R-on-N`: the resource does not go to the node. */
export function banConstraint(wish: PlacementWish): XmlElement {
  const id = banId(wish.resource, wish.node);
  return constraint(id, wish, '-INFINITY', { rule: `${id}-rule`, expression: `${id}-expr`, lifetime: `${id}-lifetime` });
}

export function preferId(resource: string): string {
  return `cli-prefer-${resource}`;
}

export function banId(resource: string, node: string): string {
  return `cli-ban-${resource}-on-${node}`;
}

interface RuleIds {
  readonly rule: string;
  readonly expression: string;
  readonly lifetime: string;
}

function constraint(id: string, { resource, node, role, until }: PlacementWish, score: string, ids: RuleIds): XmlElement {
  if (until === undefined) return element('rsc_location', { id, rsc: resource, role, node, score });
  return element('rsc_location', { id, rsc: resource, role }, [
    element('rule', { id: ids.rule, score, 'boolean-op': 'and' }, [
      element('expression', { id: ids.expression, attribute: '#uname', operation: 'eq', value: node, type: 'string' }),
      element('date_expression', { id: ids.lifetime, operation: 'lt', end: dateText(until) }),
    ]),
  ]);
}

/** As `crm_resource` writes moments: `2026-01-31 12:00:00Z`. */
export function dateText({ epochSeconds }: DateTime): string {
  return new Date(epochSeconds * 1_000).toISOString().replace('T', ' ').replace('.000Z', 'Z');
}

/** A constraint that a move or a ban has left behind. */
export interface PlacementConstraint {
  readonly element: XmlElement;
  readonly kind: 'prefer' | 'ban';
  readonly resource: string;
  /** The node that it names; undefined when it names none, as somebody has edited it. */
  readonly node: string | undefined;
  /** Of the promoted role only. */
  readonly promoted: boolean;
  /** When it ends, epoch seconds; undefined: never. */
  readonly until: number | undefined;
}

/** All of them for a resource, in document order. */
export function placementConstraints(cib: XmlElement, resource: string): readonly PlacementConstraint[] {
  const configuration = firstChildNamed(cib, 'configuration');
  const section = configuration === undefined ? undefined : firstChildNamed(configuration, 'constraints');
  return (section === undefined ? [] : childrenNamed(section, 'rsc_location')).flatMap((location): PlacementConstraint[] => {
    const { id = '', rsc } = location.attributes;
    const kind = id === preferId(resource) ? 'prefer' : id.startsWith(banId(resource, '')) ? 'ban' : undefined;
    if (kind === undefined || rsc !== resource) return [];
    return [{ element: location, kind, resource, node: nodeOf(location), promoted: isOfPromoted(location), until: endOf(location) }];
  });
}

function nodeOf(location: XmlElement): string | undefined {
  return (
    location.attributes['node'] ??
    expressionsOf(location).find(({ attributes }) => attributes['attribute'] === '#uname')?.attributes['value']
  );
}

/** Also in the word of old, and where the rule says it. */
function isOfPromoted(location: XmlElement): boolean {
  const role = location.attributes['role'] ?? firstChildNamed(location, 'rule')?.attributes['role'] ?? '';
  return ['promoted', 'master'].includes(role.toLowerCase());
}

function endOf(location: XmlElement): number | undefined {
  const end = expressionsOf(location).find(({ name, attributes }) => name === 'date_expression' && attributes['operation'] === 'lt')
    ?.attributes['end'];
  return end === undefined ? undefined : parseDateTime(end)?.epochSeconds;
}

function expressionsOf(location: XmlElement): readonly XmlElement[] {
  const rule = firstChildNamed(location, 'rule');
  return rule === undefined ? [] : childElements(rule);
}
