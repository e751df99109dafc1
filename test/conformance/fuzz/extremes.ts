/** Clusters at the far end of what can be written down: long, deep, circular, huge. Each is a function, since some are megabytes. */
export interface Extreme {
  readonly name: string;
  readonly text: () => string;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const many = (count: number, write: (index: number) => string): string => range(count).map(write).join('');

interface Parts {
  readonly options?: string;
  readonly nodes?: number | string;
  readonly resources?: string;
  readonly constraints?: string;
  readonly more?: string;
  readonly status?: string;
}

/** A CIB that no schema guards. Nodes are online; fencing is off unless the options say otherwise. */
function cib({ options = '', nodes = 3, resources = '', constraints = '', more = '', status = '' }: Parts): string {
  const members = typeof nodes === 'string' ? nodes : many(nodes, (n) => `<node id="${n}" uname="n${n}"/>`);
  const states =
    typeof nodes === 'string'
      ? ''
      : many(nodes, (n) => `<node_state id="${n}" uname="n${n}" in_ccm="true" crmd="online" join="member" expected="member"/>`);
  const fencing = options.includes('fencing-enabled') ? '' : nvpair('fencing-enabled', 'false');
  return `<cib validate-with="none" have-quorum="1" crm_feature_set="3.19.0"><configuration><crm_config><cluster_property_set id="o">${options}${fencing}</cluster_property_set></crm_config>
<nodes>${members}</nodes><resources>${resources}</resources><constraints>${constraints}</constraints>${more}</configuration><status>${states}${status}</status></cib>`;
}

const nvpair = (name: string, value: string): string => `<nvpair id="nv-${name}" name="${name}" value="${value}"/>`;
const meta = (id: string, values: Readonly<Record<string, string>>): string =>
  `<meta_attributes id="${id}-meta">${Object.entries(values)
    .map(([name, value]) => `<nvpair id="${id}-${name}" name="${name}" value="${value}"/>`)
    .join('')}</meta_attributes>`;
const primitive = (id: string, inside = '', agent = 'class="ocf" provider="acme" type="Service"'): string =>
  `<primitive id="${id}" ${agent}>${inside}</primitive>`;
const primitives = (count: number): string => many(count, (index) => primitive(`r${index}`));
const references = (count: number): string => many(count, (index) => `<resource_ref id="r${index}"/>`);
const set = (id: string, inside: string, attributes = ''): string => `<resource_set id="${id}" ${attributes}>${inside}</resource_set>`;

const SETS: readonly (readonly [string, string])[] = [
  ['an ordering set', `<rsc_order id="c">${set('s', references(10_000))}</rsc_order>`],
  ['an ordering set that serializes', `<rsc_order id="c" kind="Serialize">${set('s', references(10_000))}</rsc_order>`],
  [
    'two ordering sets, each with each',
    `<rsc_order id="c">${set('s', references(10_000), 'sequential="false"')}${set('t', references(10_000), 'sequential="false"')}</rsc_order>`,
  ],
  [
    'two ordering sets of which one is enough',
    `<rsc_order id="c">${set('s', references(10_000), 'sequential="false" require-all="false"')}${set('t', references(10_000), 'sequential="false"')}</rsc_order>`,
  ],
  ['a colocation set', `<rsc_colocation id="c" score="INFINITY">${set('s', references(10_000))}</rsc_colocation>`],
  ['a colocation set with a little score', `<rsc_colocation id="c" score="5">${set('s', references(10_000))}</rsc_colocation>`],
  ['a colocation set that keeps apart', `<rsc_colocation id="c" score="-INFINITY">${set('s', references(10_000))}</rsc_colocation>`],
  [
    'two colocation sets, each with each',
    `<rsc_colocation id="c" score="100">${set('s', references(10_000), 'sequential="false"')}${set('t', references(10_000), 'sequential="false"')}</rsc_colocation>`,
  ],
  ['a location set', `<rsc_location id="c" node="n1" score="INFINITY">${set('s', references(10_000))}</rsc_location>`],
  ['a ticket set', `<rsc_ticket id="c" ticket="t" loss-policy="stop">${set('s', references(10_000))}</rsc_ticket>`],
];

const setsOfTenThousand = SETS.map(([name, constraints]): Extreme => ({
  name: `${name}, of 10,000 members`,
  text: () => cib({ resources: primitives(10_000), constraints }),
}));

const chain = (name: string, count: number, link: (id: string, next: string, index: number) => string, closed: boolean): Extreme => ({
  name: `${closed ? 'a circle' : 'a chain'} of ${count} ${name}`,
  text: () =>
    cib({ resources: primitives(count), constraints: many(closed ? count : count - 1, (i) => link(`r${i}`, `r${(i + 1) % count}`, i)) }),
});

const order = (first: string, then: string, index: number): string => `<rsc_order id="o${index}" first="${first}" then="${then}"/>`;
const colocation =
  (score: string) =>
  (rsc: string, withRsc: string, index: number): string =>
    `<rsc_colocation id="c${index}" rsc="${rsc}" with-rsc="${withRsc}" score="${score}"/>`;

const chains: readonly Extreme[] = [false, true].flatMap((closed) => [
  chain('orderings', 2000, order, closed),
  chain('optional orderings', 2000, (first, then, i) => `<rsc_order id="o${i}" first="${first}" then="${then}" kind="Optional"/>`, closed),
  chain('colocations', 2000, colocation('INFINITY'), closed),
  chain('colocations with a little score', 2000, colocation('7'), closed),
  chain('colocations that keep apart', 2000, colocation('-INFINITY'), closed),
]);

const rule = (id: string, inside: string): string => `<rule id="${id}" score="1" boolean-op="or">${inside}</rule>`;
const located = (inside: string): string => `<rsc_location id="l" rsc="r0">${inside}</rsc_location>`;
/** A cluster whose one resource is located by a rule. */
const ruled = (inside: string): string => cib({ resources: primitives(1), constraints: located(rule('r', inside)) });

const rules: readonly Extreme[] = [
  {
    name: '10,000 nested rules',
    text: () =>
      cib({ resources: primitives(1), constraints: located('<rule id="r" score="1">'.repeat(10_000) + '</rule>'.repeat(10_000)) }),
  },
  {
    name: 'a rule of 10,000 expressions',
    text: () => ruled(many(10_000, (i) => `<expression id="e${i}" attribute="a" operation="defined"/>`)),
  },
  {
    name: 'a rule that contains itself by reference',
    text: () => ruled('<rule id-ref="r"/>'),
  },
  {
    name: 'rules that refer to the next one twice, 60 deep',
    text: () => {
      const defined = (i: number): string => `<expression id="e${i}" attribute="x" operation="defined"/>`;
      const twice = (i: number): string => `<rule id-ref="r${i}"/>`.repeat(2);
      const constraints = many(
        60,
        (i) => `<rsc_location id="l${i}" rsc="r0">${rule(`r${i}`, (i < 59 ? twice(i + 1) : '') + defined(i))}</rsc_location>`,
      );
      return cib({ resources: primitives(1), constraints });
    },
  },
  {
    name: '10,000 sets of meta-attributes with rules',
    text: () =>
      cib({
        resources: primitive(
          'r0',
          many(
            10_000,
            (i) =>
              `<meta_attributes id="m${i}" score="${i}"><rule id="mr${i}"><date_expression id="d${i}" operation="gt" start="2030-01-01"/></rule></meta_attributes>`,
          ),
        ),
      }),
  },
  {
    name: 'sets that refer to one another in a circle',
    text: () =>
      cib({
        resources:
          primitive('r0', '<meta_attributes id-ref="a"/>') +
          primitive('r1', '<meta_attributes id="a" id-ref="b"/><meta_attributes id="b" id-ref="a"/>'),
      }),
  },
];

const patterns: readonly Extreme[] = [
  '(a+)+$',
  '(.*)*(.*)*(.*)*x',
  '((a|a)*)*b',
  '([a-z0-9]+)*!',
  '(a{1,1000}){1,1000}b',
  '^(aa|a|aaa)*$',
].map((pattern) => ({
  name: `the pattern ${pattern}`,
  text: () =>
    cib({
      resources: many(20, (i) => primitive(`${'a'.repeat(60)}${i}`)),
      constraints: `<rsc_location id="l" rsc-pattern="${pattern}" node="n1" score="1"/>`,
    }),
}));

const collectives: readonly Extreme[] = [
  { name: 'a group of 2,000 members', text: () => cib({ resources: `<group id="g">${primitives(2000)}</group>` }) },
  {
    name: 'a clone of a group of 500 members on 10 nodes',
    text: () => cib({ nodes: 10, resources: `<clone id="c"><group id="g">${primitives(500)}</group></clone>` }),
  },
  ...['1000000', '2147483647', '99999999999999999999', '-5'].map((max) => ({
    name: `clone-max=${max}`,
    text: () => cib({ resources: `<clone id="c">${meta('c', { 'clone-max': max, 'globally-unique': 'true' })}${primitive('r0')}</clone>` }),
  })),
  {
    name: 'clone-max=5000',
    text: () => cib({ resources: `<clone id="c">${meta('c', { 'clone-max': '5000' })}${primitive('r0')}</clone>` }),
  },
  {
    name: 'clone-node-max=1000000',
    text: () =>
      cib({
        resources: `<clone id="c">${meta('c', { 'clone-max': '1000', 'clone-node-max': '1000000', 'globally-unique': 'true' })}${primitive('r0')}</clone>`,
      }),
  },
  {
    name: 'promoted-max=1000000',
    text: () =>
      cib({
        resources: `<clone id="c">${meta('c', { promotable: 'true', 'promoted-max': '1000000', 'promoted-node-max': '1000000', notify: 'true' })}${primitive('r0')}</clone>`,
      }),
  },
  ...['100000', '2147483648', '100'].map((replicas) => ({
    name: `a bundle with replicas=${replicas}`,
    text: () =>
      cib({
        resources: `<bundle id="b"><podman image="i" replicas="${replicas}"/><network ip-range-start="192.168.1.1"/>${primitive('r0')}</bundle>`,
      }),
  })),
  {
    name: 'a bundle with replicas-per-host=100000',
    text: () =>
      cib({
        resources: `<bundle id="b"><podman image="i" replicas="20" replicas-per-host="100000"/><network ip-range-start="192.168.1.1"/>${primitive('r0')}</bundle>`,
      }),
  },
  {
    name: 'a bundle of 1,000 replicas without a primitive',
    text: () => cib({ resources: '<bundle id="b"><docker image="i" replicas="1000"/></bundle>' }),
  },
  {
    name: '200 clones of clone-max=1000',
    text: () =>
      cib({ resources: many(200, (i) => `<clone id="c${i}">${meta(`c${i}`, { 'clone-max': '1000' })}${primitive(`r${i}`)}</clone>`) }),
  },
  {
    name: 'interleaved clones in a chain, 30 nodes',
    text: () =>
      cib({
        nodes: 30,
        resources: many(
          60,
          (i) => `<clone id="c${i}">${meta(`c${i}`, { interleave: 'true', notify: 'true' })}${primitive(`r${i}`)}</clone>`,
        ),
        constraints: many(59, (i) => order(`c${i}`, `c${i + 1}`, i) + colocation('INFINITY')(`c${i + 1}`, `c${i}`, i)),
      }),
  },
  {
    name: 'colocation circles through groups and clones',
    text: () =>
      cib({
        nodes: 5,
        resources: many(
          100,
          (i) => `<group id="g${i}">${primitive(`ga${i}`)}${primitive(`gb${i}`)}</group><clone id="c${i}">${primitive(`cp${i}`)}</clone>`,
        ),
        constraints: many(
          100,
          (i) =>
            colocation('INFINITY')(`g${i}`, `c${i}`, 3 * i) +
            colocation('10')(`c${i}`, `gb${(i + 1) % 100}`, 3 * i + 1) +
            colocation('INFINITY')(`ga${i}`, `gb${i}`, 3 * i + 2),
        ),
      }),
  },
  {
    name: 'an entangled lattice of colocations',
    text: () =>
      cib({
        nodes: 4,
        resources: primitives(200),
        constraints: many(198, (i) => colocation('3')(`r${i}`, `r${i + 1}`, 2 * i) + colocation('4')(`r${i}`, `r${i + 2}`, 2 * i + 1)),
      }),
  },
];

const names: readonly Extreme[] = [
  {
    name: 'tags of tags that double 60 times',
    text: () =>
      cib({
        resources: primitives(2),
        constraints: `<rsc_order id="o">${set('s', '<resource_ref id="a0"/>')}</rsc_order>`,
        more: `<tags>${many(60, (i) => `<tag id="a${i}"><obj_ref id="a${i + 1}"/><obj_ref id="b${i + 1}"/></tag><tag id="b${i}"><obj_ref id="a${i + 1}"/><obj_ref id="b${i + 1}"/></tag>`)}<tag id="a60"><obj_ref id="r0"/></tag><tag id="b60"><obj_ref id="r1"/></tag></tags>`,
      }),
  },
  {
    name: 'a chain of 5,000 tags',
    text: () =>
      cib({
        resources: primitives(2),
        constraints: `<rsc_order id="o">${set('s', '<resource_ref id="a0"/><resource_ref id="r1"/>')}</rsc_order>`,
        more: `<tags>${many(5000, (i) => `<tag id="a${i}"><obj_ref id="${i === 4999 ? 'r0' : `a${i + 1}`}"/></tag>`)}</tags>`,
      }),
  },
  {
    name: 'tags in a circle',
    text: () =>
      cib({
        resources: primitives(2),
        constraints: `<rsc_order id="o">${set('s', '<resource_ref id="a0"/>')}</rsc_order><rsc_location id="l" rsc="a0" node="n1" score="1"/>`,
        more: '<tags><tag id="a0"><obj_ref id="a1"/></tag><tag id="a1"><obj_ref id="a0"/></tag></tags>',
      }),
  },
  {
    name: 'a tag of 10,000',
    text: () =>
      cib({
        resources: primitives(10_000),
        constraints: '<rsc_location id="l" rsc="t" node="n1" score="1"/><rsc_colocation id="c" rsc="t" with-rsc="r0" score="5"/>',
        more: `<tags><tag id="t">${many(10_000, (i) => `<obj_ref id="r${i}"/>`)}</tag></tags>`,
      }),
  },
  {
    name: '1,000 sets that name one tag of 1,000',
    text: () =>
      cib({
        resources: primitives(1000),
        constraints: `<rsc_ticket id="o" ticket="t">${many(1000, (i) => set(`s${i}`, '<resource_ref id="t"/>'))}</rsc_ticket>`,
        more: `<tags><tag id="t">${many(1000, (i) => `<obj_ref id="r${i}"/>`)}</tag></tags>`,
      }),
  },
  {
    name: 'templates that refer to themselves',
    text: () =>
      cib({
        resources:
          '<template id="t" template="t" class="ocf" provider="acme" type="Service"/><primitive id="p" template="t"/><primitive id="q" template="q"/><template id="u" template="v"/><template id="v" template="u"/><primitive id="s" template="u"/>',
      }),
  },
  {
    name: '1,000 users of a template with 100 operations',
    text: () =>
      cib({
        resources: `<template id="t" class="ocf" provider="acme" type="Service"><operations>${many(100, (i) => `<op id="op${i}" name="monitor" interval="${i + 10}s"/>`)}</operations></template>${many(1000, (i) => `<primitive id="p${i}" template="t"/>`)}`,
      }),
  },
  {
    name: '10,000 resources of one id',
    text: () =>
      cib({ resources: many(10_000, () => primitive('same')), constraints: '<rsc_location id="l" rsc="same" node="n1" score="1"/>' }),
  },
  {
    name: '3,000 nodes of one name',
    text: () => cib({ nodes: many(3000, (i) => `<node id="i${i}" uname="same"/>`), resources: primitives(10) }),
  },
  { name: '3,000 nodes', text: () => cib({ nodes: 3000, resources: primitives(10) }) },
  { name: 'an id of a million letters', text: () => cib({ resources: primitive('x'.repeat(1_000_000)) }) },
];

const NUMBERS = ['1e400', '-1e400', '9'.repeat(10_000), '0x7fffffff', 'NaN', '-0', '--1'];
const numbers: readonly Extreme[] = NUMBERS.map((number) => ({
  name: `${number.slice(0, 20)} for every number`,
  text: () =>
    cib({
      options: [
        'stonith-timeout',
        'cluster-delay',
        'batch-limit',
        'migration-limit',
        'node-health-base',
        'cluster-recheck-interval',
        'priority-fencing-delay',
        'shutdown-lock-limit',
      ]
        .map((name) => nvpair(name, number))
        .join(''),
      resources: `<clone id="c">${meta('c', { 'clone-max': number, 'clone-node-max': number, 'promoted-max': number, promotable: 'true' })}${primitive('r0', `${meta('r0', { priority: number, 'resource-stickiness': number, 'migration-threshold': number, 'failure-timeout': number })}<utilization id="u"><nvpair id="un" name="cpu" value="${number}"/></utilization><operations><op id="op" name="monitor" interval="${number}" timeout="${number}" start-delay="${number}"/></operations>`)}</clone>${primitive('r1')}`,
      constraints: `<rsc_location id="l" rsc="r1" node="n1" score="${number}"/>${colocation(number)('r1', 'c', 0)}<rsc_order id="o" first="c" then="r1" score="${number}"/>`,
      status: `<node_state id="0" uname="n0" in_ccm="${number}" crmd="${number}" join="member" expected="member"><transient_attributes id="0"><instance_attributes id="ta"><nvpair id="f" name="fail-count-r1#monitor_10000" value="${number}"/><nvpair id="lf" name="last-failure-r1#monitor_10000" value="${number}"/><nvpair id="sh" name="shutdown" value="${number}"/></instance_attributes></transient_attributes><lrm id="0"><lrm_resources><lrm_resource id="r1" class="ocf" provider="acme" type="Service"><lrm_rsc_op id="e" operation="monitor" interval="${number}" call-id="${number}" rc-code="${number}" op-status="${number}" last-rc-change="${number}" exec-time="${number}" queue-time="${number}" transition-key="${number}:${number}:${number}:x" transition-magic="${number}:${number};${number}:${number}:${number}:x" operation_key="r1_monitor_${number}" crm_feature_set="${number}"/></lrm_resource></lrm_resources></lrm></node_state>`,
    }).replace('<cib ', `<cib execution-date="${number}" epoch="${number}" `),
}));

const DATES = [
  '99999-01-01',
  '0000-00-00',
  '0000-01-01',
  '9999-12-31T24:00:00',
  '2024-02-29',
  '2023-02-29',
  '2026-W53-7',
  '2024-366',
  '-2026-01-01',
  '275760-09-13',
  '2026-01-01T00:00:00 -23:59',
];
const DURATIONS = [
  'years="2147483647"',
  'years="-2147483648"',
  'months="99999999999"',
  'weeks="2147483647" days="2147483647" hours="2147483647" minutes="2147483647" seconds="2147483647"',
  'seconds="1e400"',
  'weeks="-99999"',
];
const dates: readonly Extreme[] = [
  ...DATES.map((date) => ({
    name: `the date ${date}`,
    text: () =>
      ruled(
        `<date_expression id="a" operation="gt" start="${date}"/><date_expression id="b" operation="lt" end="${date}"/><date_expression id="c" operation="in_range" start="${date}" end="${date}"/>${DURATIONS.map((duration, i) => `<date_expression id="d${i}" operation="in_range" start="${date}"><duration id="u${i}" ${duration}/></date_expression>`).join('')}`,
      ),
  })),
  {
    name: 'calendar fields of every kind',
    text: () =>
      ruled(
        many(
          60,
          (i) =>
            `<date_expression id="a${i}" operation="date_spec"><date_spec id="s${i}" years="${i * 999}-" weekyears="-${i}" weeks="${i}" weekdays="${i % 9}" monthdays="31-1" months="13" yeardays="366" hours="24" minutes="-" seconds="1-2-3"/></date_expression>`,
        ),
      ),
  },
  ...[
    'P99999999999Y',
    'P9999999999Y9999999999M9999999999W',
    `P${'1Y'.repeat(100_000)}`,
    'PT99999999999999999999S',
    'P',
    'PT1.5S',
    '9223372036854775807h',
  ].map((duration) => ({
    name: `the duration ${duration.slice(0, 20)}`,
    text: () =>
      cib({
        options: nvpair('cluster-recheck-interval', duration),
        resources: primitive(
          'r0',
          `${meta('r0', { 'failure-timeout': duration })}<operations><op id="op" name="monitor" interval="${duration}" interval-origin="99999-01-01" timeout="${duration}"/><op id="op2" name="monitor" interval="${duration}" interval-origin="0000-01-01" timeout="${duration}"/></operations>`,
        ),
      }),
  })),
];

const remote = 'class="ocf" provider="pacemaker" type="remote"';
const nodes: readonly Extreme[] = [
  {
    name: 'a remote node whose connection runs on itself',
    text: () =>
      cib({
        nodes: 1,
        resources: primitive('rem', '', remote),
        constraints:
          '<rsc_location id="l" rsc="rem" node="rem" score="INFINITY"/><rsc_location id="m" rsc="rem" node="n0" score="-INFINITY"/>',
      }),
  },
  {
    name: 'remote nodes whose connections run on one another, by history',
    text: () =>
      cib({
        nodes: 1,
        resources: primitive('ra', '', remote) + primitive('rb', '', remote) + primitive('p'),
        status: ['ra', 'rb']
          .map(
            (name, i) =>
              `<node_state id="${name}" uname="${name}"><lrm id="${name}"><lrm_resources><lrm_resource id="${i === 0 ? 'rb' : 'ra'}" class="ocf" provider="pacemaker" type="remote"><lrm_rsc_op id="e${i}" operation="start" interval="0" call-id="${i + 1}" rc-code="0" op-status="0" transition-key="1:1:0:x" transition-magic="0:0;1:1:0:x"/></lrm_resource></lrm_resources></lrm></node_state>`,
          )
          .join(''),
      }),
  },
  {
    name: 'guests that host one another',
    text: () =>
      cib({
        nodes: 2,
        resources: primitive('va', meta('va', { 'remote-node': 'ga' })) + primitive('vb', meta('vb', { 'remote-node': 'gb' })),
        constraints: '<rsc_location id="l" rsc="va" node="gb" score="INFINITY"/><rsc_location id="m" rsc="vb" node="ga" score="INFINITY"/>',
      }),
  },
  { name: 'a guest of its own name', text: () => cib({ nodes: 2, resources: primitive('va', meta('va', { 'remote-node': 'va' })) }) },
  {
    name: 'containers in a circle',
    text: () =>
      cib({
        nodes: 2,
        resources:
          primitive('a', meta('a', { container: 'b' })) +
          primitive('b', meta('b', { container: 'c' })) +
          primitive('c', meta('c', { container: 'a' })),
      }),
  },
  {
    name: '2,000 guests in one another',
    text: () =>
      cib({
        nodes: 1,
        resources: many(2000, (i) =>
          primitive(`v${i}`, meta(`v${i}`, { 'remote-node': `g${i}`, ...(i === 0 ? {} : { container: `v${i - 1}` }) })),
        ),
      }),
  },
  {
    name: 'fencing levels in a circle',
    text: () =>
      cib({
        options: nvpair('fencing-enabled', 'true'),
        nodes: 3,
        resources: ['fa', 'fb'].map((id) => primitive(id, '', 'class="stonith" type="fence_x"')).join(''),
        constraints: '<rsc_location id="l" rsc="fa" node="n0" score="INFINITY"/>',
        more: `<fencing-topology>${many(300, (i) => `<fencing-level id="f${i}" target="n${i % 3}" index="${i}" devices="fa,fb,fa,f${i}"/>`)}</fencing-topology>`,
        status:
          '<node_state id="0" uname="n0" in_ccm="false" crmd="offline" join="down" expected="member"/><node_state id="1" uname="n1" in_ccm="false" crmd="offline" join="down" expected="member"/>',
      }),
  },
  {
    name: '10,000 entries of history for one resource',
    text: () =>
      cib({
        nodes: 1,
        resources: primitive('r0'),
        status: `<node_state id="0" uname="n0" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="0"><lrm_resources><lrm_resource id="r0" class="ocf" provider="acme" type="Service">${many(10_000, (i) => `<lrm_rsc_op id="e${i}" operation="monitor" interval="${i}" call-id="${i % 77}" rc-code="${i % 9}" op-status="0" transition-key="1:1:0:x" transition-magic="0:0;1:${i}:0:x"/>`)}</lrm_resource></lrm_resources></lrm></node_state>`,
      }),
  },
  {
    name: '2,000 orphans of an anonymous clone',
    text: () =>
      cib({
        nodes: 10,
        resources: `<clone id="c">${primitive('r0')}</clone>`,
        status: many(
          10,
          (n) =>
            `<node_state id="${n}" uname="n${n}" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="${n}"><lrm_resources>${many(200, (i) => `<lrm_resource id="r0:${i}" class="ocf" provider="acme" type="Service"><lrm_rsc_op id="e${i}" operation="start" interval="0" call-id="${i}" rc-code="0" op-status="0" transition-key="1:1:0:x" transition-magic="0:0;1:1:0:x"/></lrm_resource>`)}</lrm_resources></lrm></node_state>`,
        ),
      }),
  },
  {
    name: '2,000 histories of one name of an anonymous clone',
    text: () =>
      cib({
        nodes: 1,
        resources: `<clone id="c">${primitive('r0')}</clone>`,
        status: `<node_state id="0" uname="n0" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="0"><lrm_resources>${`<lrm_resource id="r0" class="ocf" provider="acme" type="Service"><lrm_rsc_op id="e" operation="start" interval="0" call-id="1" rc-code="0" op-status="0" transition-key="1:1:0:x" transition-magic="0:0;1:1:0:x"/></lrm_resource>`.repeat(2000)}</lrm_resources></lrm></node_state>`,
      }),
  },
  {
    name: 'an anonymous clone that runs on 1,000 nodes',
    text: () =>
      cib({
        nodes: 1000,
        resources: `<clone id="c">${primitive('r0')}</clone>`,
        status: many(
          1000,
          (n) =>
            `<node_state id="${n}" uname="n${n}" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="${n}"><lrm_resources><lrm_resource id="r0" class="ocf" provider="acme" type="Service"><lrm_rsc_op id="e${n}" operation="start" interval="0" call-id="1" rc-code="0" op-status="0" transition-key="1:1:0:x" transition-magic="0:0;1:1:0:x"/></lrm_resource></lrm_resources></lrm></node_state>`,
        ),
      }),
  },
  {
    name: '1,000 monitors of one resource',
    text: () =>
      cib({
        resources: primitive(
          'r0',
          `<operations>${many(1000, (i) => `<op id="op${i}" name="monitor" interval="${i + 1}s"/>`)}</operations>`,
        ),
      }),
  },
];

export const EXTREMES: readonly Extreme[] = [
  ...setsOfTenThousand,
  ...chains,
  ...rules,
  ...patterns,
  ...collectives,
  ...names,
  ...numbers,
  ...dates,
  ...nodes,
];
