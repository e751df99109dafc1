import { OTHER_RESOURCE_ATTRIBUTES, RESOURCE_ATTRIBUTES } from '../options/attribute-definitions.js';
import { childElements, childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { newRole, newScore } from './from-0-attributes.js';
import { asPing, isPingDaemon } from './from-0-connectivity.js';
import { withNewPairs, type NewPair } from './from-0-sets.js';
import type { UpgradeLog } from './upgrade-log.js';

/** The newest name of each meta-attribute, by its name with dashes. `restart-type` is for a later step to leave out. */
const META_NAMES: ReadonlyMap<string, string> = new Map([
  ...[...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES].map(({ name, newer }) => [name, newer ?? name] as const),
  ['restart-type', 'restart-type'],
]);

/** Meta-attributes that stood among the parameters, or were XML attributes of the resource. */
const META_OF_ALL: ReadonlySet<string> = new Set([
  ...['is-managed', 'target-role', 'resource-stickiness', 'resource-failure-stickiness', 'restart-type', 'multiple-active', 'priority'],
  ...['allow-migrate', 'migration-threshold', 'failure-timeout', 'clone-max', 'clone-node-max', 'master-max', 'master-node-max'],
  'globally-unique',
]);

/** Those that are words which an agent may have a parameter of: in a primitive they are one. */
const META_OF_COLLECTIONS: ReadonlySet<string> = new Set(['notify', 'ordered', 'interleave', 'collocated']);

/** XML attributes of a resource that are no meta-attributes, and stay. */
const PROPER = new Set(['id', 'description', 'class', 'provider', 'type', 'template']);

interface ResourceUpgrade {
  /** Names of the nodes that Heartbeat only pinged. */
  readonly pingNodes: readonly string[];
  readonly log: UpgradeLog;
}

/** A resource whose operations and sets are upgraded already. */
export function upgradeOldResource(resource: XmlElement, { pingNodes, log }: ResourceUpgrade): XmlElement {
  const named = resource.name === 'master_slave' ? { ...resource, name: 'master' } : resource;
  if (named !== resource) log.rewritten(resource, '<master_slave> is <master> now');
  const agent = withAgentSaid(named, log);
  const upgraded = withAttributesAsMeta(withMetaApart(agent, log), log);
  return isPingDaemon(upgraded) ? asPing(upgraded, pingNodes, log) : upgraded;
}

/** An OCF agent without a provider was one of Heartbeat's own; a provider of any other agent meant nothing. */
function withAgentSaid(resource: XmlElement, log: UpgradeLog): XmlElement {
  const { class: standard, provider, template, type = '' } = resource.attributes;
  if (resource.name !== 'primitive' || template !== undefined || standard === undefined) return resource;
  if (standard === 'stonith' && !type.startsWith('fence_')) {
    log.check(
      resource,
      `stonith:${type} is a plugin of Heartbeat's own: only fence agents (fence_…) can be run, so take the one for that device`,
    );
  }
  if (standard === 'ocf' && provider === undefined) {
    log.rewritten(resource, 'provider was not given, and is "heartbeat" now');
    return withAttributes(resource, { provider: 'heartbeat' });
  }
  if (standard === 'ocf' || provider === undefined) return resource;
  log.dropped(resource, `provider="${provider}": agents of class ${standard} have none`);
  return withAttributes(resource, { provider: undefined });
}

function newMeta(name: string, value: string | undefined): NewPair | undefined {
  const renamed = META_NAMES.get(name.replaceAll('_', '-')) ?? name;
  const written = value === undefined ? undefined : (newMetaValue(renamed, value) ?? value);
  if (renamed === name && written === value) return undefined;
  return { name: renamed, ...(written === undefined ? {} : { value: written }) };
}

function newMetaValue(name: string, value: string): string | undefined {
  if (name === 'target-role') return newRole(value);
  return /stickiness|threshold|priority/.test(name) ? newScore(value) : undefined;
}

/** Meta-attributes by their newer names, and out of the parameters. */
function withMetaApart(resource: XmlElement, log: UpgradeLog): XmlElement {
  const moved: XmlElement[] = [];
  const kept = resource.children.flatMap((child): readonly XmlNode[] => {
    if (child.kind === 'comment' || child.name !== 'instance_attributes') return [child];
    const { parameters, meta } = metaIn(child, resource, log);
    moved.push(...meta);
    return parameters;
  });
  // Of two sets of equal score the later one counts: what was said among the meta-attributes goes before what was said among the parameters.
  const place = kept.findIndex((child) => child.kind === 'element' && child.name === 'meta_attributes');
  const children = place === -1 ? [...kept, ...moved] : [...kept.slice(0, place), ...moved, ...kept.slice(place)];
  const renamed = children.map((child) =>
    child.kind === 'element' && child.name === 'meta_attributes' ? withNewPairs(child, newMeta, log) : child,
  );
  const isSame = renamed.length === resource.children.length && renamed.every((child, index) => child === resource.children[index]);
  return isSame ? resource : { ...resource, children: renamed };
}

/** Parts a set of parameters from the meta-attributes in it. */
function metaIn(
  set: XmlElement,
  resource: XmlElement,
  log: UpgradeLog,
): { readonly parameters: readonly XmlElement[]; readonly meta: readonly XmlElement[] } {
  const isMeta = (node: XmlNode): boolean =>
    node.kind === 'element' && node.name === 'nvpair' && isMetaOf(resource, node.attributes['name'] ?? '');
  const pairs = childrenNamed(set, 'nvpair');
  const meta = pairs.filter(isMeta);
  if (meta.length === 0) return { parameters: [set], meta: [] };
  if (meta.length === pairs.length) {
    log.rewritten(set, 'all in it are meta-attributes: <instance_attributes> is <meta_attributes> now');
    return { parameters: [], meta: [{ ...set, name: 'meta_attributes' }] };
  }
  const { id, score } = set.attributes;
  const rules = childrenNamed(set, 'rule');
  for (const pair of meta) log.rewritten(pair, `${pair.attributes['name'] ?? ''} stood among the parameters, and is a meta-attribute now`);
  const made = element(
    'meta_attributes',
    { ...(id === undefined ? {} : { id: `${id}-meta` }), ...(score === undefined ? {} : { score }) },
    [...rules.map((rule) => ruleOnceMore(rule, set, log)), ...meta],
  );
  return { parameters: [{ ...set, children: set.children.filter((child) => !isMeta(child)) }], meta: [made] };
}

function ruleOnceMore(rule: XmlElement, set: XmlElement, log: UpgradeLog): XmlElement {
  const id = rule.attributes['id-ref'] ?? rule.attributes['id'];
  if (id !== undefined) return element('rule', { 'id-ref': id });
  log.refuse(set, 'id', 'it has parameters and meta-attributes under one rule that has no id: give it one, so that both can refer to it');
  return rule;
}

function isMetaOf({ name: kind }: XmlElement, name: string): boolean {
  const dashed = name.replaceAll('_', '-');
  return META_OF_ALL.has(dashed) || (kind !== 'primitive' && META_OF_COLLECTIONS.has(dashed));
}

/** XML attributes of the resource, which went before everything else. */
function withAttributesAsMeta(resource: XmlElement, log: UpgradeLog): XmlElement {
  const { id = resource.name } = resource.attributes;
  const pairs: XmlElement[] = [];
  let upgraded = resource;
  for (const [name, value] of Object.entries(resource.attributes)) {
    if (PROPER.has(name)) continue;
    if (name === 'on_stopfail') {
      upgraded = withStopFailure(withAttributes(upgraded, { [name]: undefined }), value, log);
      continue;
    }
    const dashed = name.replaceAll('_', '-');
    const known = dashed === 'start-prereq' ? 'requires' : isMetaOf(resource, name) || META_OF_COLLECTIONS.has(dashed) ? dashed : undefined;
    if (known === undefined) continue;
    upgraded = withAttributes(upgraded, { [name]: undefined });
    if (value === 'default' || value === '#default') {
      log.dropped(resource, `${name}="${value}": as if it was not given`);
      continue;
    }
    const written = newMeta(known, value);
    const pair = { name: written?.name ?? known, value: written?.value ?? value };
    log.rewritten(resource, `${name}="${value}" is the meta-attribute ${pair.name}="${pair.value}" now`);
    pairs.push(element('nvpair', { id: `${id}-${pair.name}`, ...pair }));
  }
  if (pairs.length === 0) return upgraded;
  return { ...upgraded, children: [...upgraded.children, element('meta_attributes', { id: `${id}-meta` }, pairs)] };
}

/** What is done when a stop fails, which was said of the resource, is said of its stop now. */
function withStopFailure(resource: XmlElement, value: string, log: UpgradeLog): XmlElement {
  const operations = firstChildNamed(resource, 'operations');
  const stop = operations === undefined ? undefined : childElements(operations).find((op) => op.attributes['name'] === 'stop');
  if (stop?.attributes['on-fail'] !== undefined) {
    log.dropped(resource, `on_stopfail="${value}": its stop says on-fail="${stop.attributes['on-fail']}"`);
    return resource;
  }
  log.rewritten(resource, `on_stopfail="${value}" is on-fail of its stop now`);
  const { id = '' } = resource.attributes;
  const made =
    stop === undefined
      ? element('op', { id: `${id}-stop-0`, name: 'stop', interval: '0', 'on-fail': value })
      : { ...stop, attributes: { ...stop.attributes, 'on-fail': value } };
  const filled: XmlElement =
    operations === undefined
      ? element('operations', {}, [made])
      : {
          ...operations,
          children:
            stop === undefined ? [...operations.children, made] : operations.children.map((child) => (child === stop ? made : child)),
        };
  return {
    ...resource,
    children:
      operations === undefined ? [...resource.children, filled] : resource.children.map((child) => (child === operations ? filled : child)),
  };
}
