import { BOOTSTRAP_OPTIONS_ID } from '../options/cluster-options.js';
import { CLUSTER_OPTIONS } from '../options/cluster-option-definitions.js';
import { childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { withoutChildren } from '../xml/rewrite.js';
import { newScore } from './from-0-attributes.js';
import { withNewPairs } from './from-0-sets.js';
import type { UpgradeLog } from './upgrade-log.js';

/** Options that are gone, and why. */
const GONE: Readonly<Record<string, string>> = {
  short_resource_names: 'names of resources are never given with their group any more',
  suppress_cib_writes: 'the configuration is always kept',
  require_quorum: 'no-quorum-policy says what happens without quorum',
};

/** Names with dashes; those that the next generation renames itself, or makes defaults of, are left to it. */
const KNOWN: ReadonlySet<string> = new Set(
  CLUSTER_OPTIONS.flatMap((option) => ['alias' in option ? option.alias : option.name, option.name]),
);

/** Cluster options. */
export function upgradeOldProperties(set: XmlElement, log: UpgradeLog): XmlElement {
  const kept = withoutChildren(set, (child) => {
    const { name = '', value = '' } = child.name === 'nvpair' ? child.attributes : {};
    const why = Object.hasOwn(GONE, name) ? GONE[name] : undefined;
    if (why !== undefined) log.dropped(child, `the option ${name}="${value}": ${why}`);
    return why !== undefined;
  });
  return withNewPairs(
    kept,
    (name, value) => {
      const dashed = name.replaceAll('_', '-');
      const renamed = dashed !== name && KNOWN.has(dashed) && !KNOWN.has(name) ? dashed : name;
      const written = /stickiness|threshold/.test(dashed) && value !== undefined ? (newScore(value) ?? value) : value;
      if (renamed === name && written === value) return undefined;
      return { name: renamed, ...(written === undefined ? {} : { value: written }) };
    },
    log,
  );
}

/** Pairs that stand in `crm_config` itself, as in the first documents of that generation. */
export function withPropertySet(section: XmlElement, log: UpgradeLog): XmlElement {
  const loose = childrenNamed(section, 'nvpair');
  if (loose.length === 0) return section;
  log.rewritten(section, `its pairs are in a <cluster_property_set> now`);
  const set = upgradeOldProperties(element('cluster_property_set', { id: BOOTSTRAP_OPTIONS_ID }, loose), log);
  return { ...section, children: [set, ...section.children.filter((child) => child.kind === 'comment' || child.name !== 'nvpair')] };
}

const FENCING = new Set(['stonith-enabled', 'stonith_enabled', 'fencing-enabled']);

/** Fencing was off where nobody said anything, and is on now: what was meant is written down. */
export function withFencingSaid(document: XmlElement, log: UpgradeLog): XmlElement {
  const configuration = firstChildNamed(document, 'configuration');
  const section = configuration === undefined ? undefined : firstChildNamed(configuration, 'crm_config');
  if (configuration === undefined || section === undefined) return document;
  const sets = childrenNamed(section, 'cluster_property_set');
  if (sets.some((set) => childrenNamed(set, 'nvpair').some(({ attributes }) => FENCING.has(attributes['name'] ?? '')))) return document;
  log.check(
    section,
    'stonith_enabled was not given, which meant false then and would mean true now: stonith-enabled="false" is written down. Configure fencing, and set it to true: without it what ran on a lost node starts elsewhere in the belief that it has stopped',
  );
  const pair = element('nvpair', { id: `${BOOTSTRAP_OPTIONS_ID}-stonith-enabled`, name: 'stonith-enabled', value: 'false' });
  const plain = sets.find((set) => firstChildNamed(set, 'rule') === undefined && set.attributes['id-ref'] === undefined);
  const filled: XmlElement =
    plain === undefined
      ? { ...section, children: [element('cluster_property_set', { id: BOOTSTRAP_OPTIONS_ID }, [pair]), ...section.children] }
      : replaced(section, plain, { ...plain, children: [...plain.children, pair] });
  return replaced(document, configuration, replaced(configuration, section, filled));
}

function replaced(parent: XmlElement, old: XmlNode, made: XmlNode): XmlElement {
  return { ...parent, children: parent.children.map((child) => (child === old ? made : child)) };
}
