import { element, type XmlElement } from '@systole/cib';
import { Random } from '../../simulation/random.js';

export interface ClusterSize {
  readonly nodes: number;
  readonly resources: number;
}

/** Primitives that count together as one in constraints: a group has four, a clone and a plain primitive have one. */
const GROUP_SIZE = 4;
/** Nodes on which a resource of `exclusiveCluster` may run. */
const ALLOWED_NODES = 3;

/**
 * A mixed cluster whose nodes are all online and on which nothing has run yet: of the primitives a third or so are in groups of four and a few are
 * cloned; every third resource has a location, and every tenth is colocated with an earlier one and ordered after it. The same size gives
 * the same cluster.
 */
export function mixedCluster({ nodes, resources }: ClusterSize): XmlElement {
  const random = new Random(1);
  const tops: XmlElement[] = [];
  for (let made = 0; made < resources;) {
    const drawn = random.next();
    if (drawn < 0.1 && made + GROUP_SIZE <= resources) {
      tops.push(group(`group${tops.length}`));
      made += GROUP_SIZE;
    } else {
      tops.push(drawn >= 0.1 && drawn < 0.13 ? clone(`clone${tops.length}`, Math.min(nodes, 4)) : primitive(`primitive${tops.length}`));
      made++;
    }
  }
  const names = tops.map(({ attributes }) => attributes['id'] ?? '');
  const constraints = [...locations(names, nodes, random), ...dependencies(names, random)];
  return cluster(nodes, { 'stonith-enabled': 'false' }, tops, constraints);
}

/**
 * A large cluster in which each primitive may run on three nodes only and is looked for nowhere else (`resource-discovery="exclusive"`), its
 * fence device included. Nothing has run yet.
 */
export function exclusiveCluster({ nodes, resources }: ClusterSize): XmlElement {
  const random = new Random(1);
  const device = element('primitive', { id: 'fence', class: 'stonith', type: 'fence_ipmilan' });
  const tops = [device, ...Array.from({ length: resources }, (_, index) => primitive(`primitive${index}`))];
  const constraints = tops.flatMap(({ attributes: { id = '' } }) =>
    drawDistinct(ALLOWED_NODES, nodes, random).map((node) =>
      element('rsc_location', { id: `${id}-on-${node}`, rsc: id, node: `node${node}`, score: '0', 'resource-discovery': 'exclusive' }),
    ),
  );
  return cluster(nodes, {}, tops, constraints);
}

/** A primitive with a monitor. */
export function primitive(id: string): XmlElement {
  const monitor = element('op', { id: `${id}-monitor`, name: 'monitor', interval: '10s' });
  return element('primitive', { id, class: 'ocf', provider: 'pacemaker', type: 'Dummy' }, [element('operations', {}, [monitor])]);
}

function group(id: string): XmlElement {
  const members = Array.from({ length: GROUP_SIZE }, (_, index) => primitive(`${id}-member${index}`));
  return element('group', { id }, members);
}

function clone(id: string, instances: number): XmlElement {
  const meta = element(
    'meta_attributes',
    { id: `${id}-meta` },
    nvpairs(`${id}-meta`, { interleave: 'true', 'clone-max': String(instances) }),
  );
  return element('clone', { id }, [meta, primitive(`${id}-instance`)]);
}

const LOCATION_SCORES = ['100', '200', '-100', '-INFINITY'];

function locations(names: readonly string[], nodes: number, random: Random): XmlElement[] {
  return names
    .filter(() => random.chance(0.3))
    .map((rsc) =>
      element('rsc_location', {
        id: `${rsc}-location`,
        rsc,
        node: `node${random.between(1, nodes)}`,
        score: random.pick(LOCATION_SCORES) ?? '0',
      }),
    );
}

const COLOCATION_SCORES = ['INFINITY', '100', '-100'];

/** Later resources depend on earlier ones, so that nothing depends on itself in a circle. */
function dependencies(names: readonly string[], random: Random): XmlElement[] {
  return Array.from({ length: Math.floor(names.length / 10) }, (_, index) => {
    const [first, then] = drawDistinct(2, names.length, random)
      .sort((a, b) => a - b)
      .map((place) => names[place - 1] ?? '');
    const score = random.pick(COLOCATION_SCORES) ?? '0';
    return [
      element('rsc_colocation', { id: `colocation${index}`, rsc: then ?? '', 'with-rsc': first ?? '', score }),
      element('rsc_order', { id: `order${index}`, first: first ?? '', then: then ?? '' }),
    ];
  }).flat();
}

/** So many different numbers in [1, most]. */
function drawDistinct(count: number, most: number, random: Random): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(random.between(1, most));
  return [...drawn];
}

/** Name-value pairs with ids of their owner's. */
export function nvpairs(owner: string, values: Readonly<Record<string, string>>): XmlElement[] {
  return Object.entries(values).map(([name, value]) => element('nvpair', { id: `${owner}-${name}`, name, value }));
}

/** A CIB in a syntax that Debian's Pacemaker reads as well as we do; all nodes are online. */
export function cluster(
  nodes: number,
  options: Readonly<Record<string, string>>,
  resources: readonly XmlElement[],
  constraints: readonly XmlElement[],
): XmlElement {
  const ids = Array.from({ length: nodes }, (_, index) => String(index + 1));
  const state = { in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member' };
  return element(
    'cib',
    { 'validate-with': 'pacemaker-3.5', crm_feature_set: '3.16.1', admin_epoch: '0', epoch: '1', num_updates: '0', 'have-quorum': '1' },
    [
      element('configuration', {}, [
        element('crm_config', {}, [element('cluster_property_set', { id: 'options' }, nvpairs('options', options))]),
        element(
          'nodes',
          {},
          ids.map((id) => element('node', { id, uname: `node${id}` })),
        ),
        element('resources', {}, resources),
        element('constraints', {}, constraints),
      ]),
      element(
        'status',
        {},
        ids.map((id) => element('node_state', { id, uname: `node${id}`, ...state })),
      ),
    ],
  );
}
