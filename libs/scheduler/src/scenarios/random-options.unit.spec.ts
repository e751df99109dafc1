import {
  ALERT_ATTRIBUTES,
  CibRefused,
  CLUSTER_OPTIONS,
  conductOf,
  CONSTRAINT_ATTRIBUTES,
  element,
  FENCE_DEVICE_PARAMETERS,
  findingsOf,
  findMistakes,
  NODE_ATTRIBUTES,
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  readCib,
  RESOURCE_ATTRIBUTES,
  serializeXml,
  validateCib,
  type ClusterOptionDefinition,
  type ClusterOptionKind,
  type Conduct,
  type XmlElement,
} from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';

/** An option at a place of the document below. */
interface Placed {
  readonly name: string;
  readonly type: ClusterOptionKind;
  readonly conduct: Conduct;
  /** The id of the set whose pair it is, or of the element whose attribute it is. */
  readonly at: string;
  readonly isAttribute: boolean;
}

const options: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
const pairOf =
  (at: string) =>
  (one: Conduct & { readonly name: string; readonly type: ClusterOptionKind }): Placed => ({
    name: one.name.replace('…', 'x'),
    type: one.type,
    conduct: one,
    at,
    isAttribute: false,
  });

/** Every option of the tables, at each place that it may stand. */
const PLACED: readonly Placed[] = [
  ...options.flatMap(({ alias, ...option }) =>
    [option, ...(alias === undefined ? [] : [{ ...option, name: alias }])].map(pairOf('options')),
  ),
  ...['p-meta', 'c-meta', 'defaults'].flatMap((at) => [...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES].map(pairOf(at))),
  ...['op-meta', 'op-defaults'].flatMap((at) => [...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES].map(pairOf(at))),
  ...[...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES].map((one) => ({ ...pairOf('op')(one), isAttribute: true })),
  ...NODE_ATTRIBUTES.map(pairOf('n1-attributes')),
  ...FENCE_DEVICE_PARAMETERS.map(pairOf('gun-parameters')),
  ...ALERT_ATTRIBUTES.map(pairOf('alert-meta')),
  ...CONSTRAINT_ATTRIBUTES.flatMap((one) => one.readOn.map((at) => ({ ...pairOf(at)(one), isAttribute: true }))),
];

/** A cluster with a place for each of them: the ids are what {@link Placed} calls them. */
const DOCUMENT = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.0" admin_epoch="0" epoch="1" num_updates="0" have-quorum="true">
  <configuration>
    <crm_config><cluster_property_set id="options"/></crm_config>
    <nodes><node id="1" uname="n1"><instance_attributes id="n1-attributes"/></node><node id="2" uname="n2"/></nodes>
    <resources>
      <primitive id="p" class="ocf" provider="systole" type="Dummy">
        <meta_attributes id="p-meta"/>
        <operations><op id="op" name="monitor" interval="10s"><meta_attributes id="op-meta"/></op></operations>
      </primitive>
      <clone id="c"><meta_attributes id="c-meta"/><primitive id="q" class="ocf" provider="systole" type="Stateful"/></clone>
      <primitive id="gun" class="stonith" type="fence_dummy"><instance_attributes id="gun-parameters"/></primitive>
    </resources>
    <constraints>
      <rsc_location id="rsc_location" rsc="p" node="n1" score="5"/>
      <rsc_location id="by-rule" rsc="p"><rule id="rule" score="3"><expression id="e" attribute="#uname" operation="eq" value="n2"/></rule></rsc_location>
      <rsc_colocation id="rsc_colocation" rsc="p" with-rsc="c" score="5"/>
      <rsc_order id="rsc_order" first="c" then="p" kind="Optional"/>
      <rsc_ticket id="rsc_ticket" rsc="p" ticket="T"/>
      <rsc_order id="of-sets"><resource_set id="resource_set"><resource_ref id="c"/><resource_ref id="p"/></resource_set></rsc_order>
    </constraints>
    <rsc_defaults><meta_attributes id="defaults"/></rsc_defaults>
    <op_defaults><meta_attributes id="op-defaults"/></op_defaults>
    <fencing-topology><fencing-level id="fencing-level" target="n1" index="1" devices="gun"/></fencing-topology>
    <alerts><alert id="alert" path="/bin/true"><meta_attributes id="alert-meta"/></alert></alerts>
  </configuration>
  <status/>
</cib>`;
const PARSED = readCib(DOCUMENT).document;

interface Given {
  readonly option: Placed;
  readonly value: string;
}

function documentWith(all: readonly Given[]): XmlElement {
  const rebuilt = (one: XmlElement): XmlElement => {
    const here = all.filter(({ option }) => option.at === one.attributes['id']);
    const attributes = Object.fromEntries(here.filter(({ option }) => option.isAttribute).map(({ option, value }) => [option.name, value]));
    const pairs = here
      .filter(({ option }) => !option.isAttribute)
      .map(({ option: { name }, value }, at) => element('nvpair', { id: `${one.attributes['id'] ?? ''}-${String(at)}`, name, value }));
    const children = one.children.map((child) => (child.kind === 'element' ? rebuilt(child) : child));
    return { ...one, attributes: { ...one.attributes, ...attributes }, children: [...children, ...pairs] };
  };
  return rebuilt(PARSED);
}

type Judged = { readonly as: 'refused' } | { readonly as: 'taken'; readonly document: XmlElement; readonly told: readonly string[] };

/** What a write of the document comes to. `told`: the ids of the elements of which something is said. */
function judged(document: XmlElement): Judged {
  try {
    const { document: read } = readCib(serializeXml(document));
    if (validateCib(read).length > 0 || findMistakes(read).length > 0) return { as: 'refused' };
    return { as: 'taken', document: read, told: findingsOf(read).flatMap(({ id }) => (id === undefined ? [] : [id])) };
  } catch (error) {
    if (error instanceof CibRefused) return { as: 'refused' };
    throw error;
  }
}

/** No number, no time, no word of any table. */
const NONSENSE = 'zebra';
/** Whoever may write anything is told nothing. */
const takesAnything = ({ kind }: ClusterOptionKind): boolean => kind === 'text';

const keyOf = ({ at, name, isAttribute }: Placed): string => `${at}: ${name}${isAttribute ? ' (attribute)' : ''}`;

describe('an option with a value that says nothing', () => {
  it.each(PLACED.filter(({ type }) => !takesAnything(type)).map((option) => [keyOf(option), option] as const))(
    '%s is refused, or told of',
    (_key, option) => {
      const verdict = judged(documentWith([{ option, value: NONSENSE }]));
      if (verdict.as === 'refused') return;
      expect(verdict.told).toContain(option.isAttribute ? option.at : `${option.at}-0`);
    },
  );
});

const VALUES = [
  ...['', '0', '1', '-1', '+3', '2', '007', '1.5', '1e3', '0x10', '99999999999999999999', '-INFINITY', 'INFINITY', '+INFINITY'],
  ...[
    'true',
    'FALSE',
    'on',
    'n',
    'maybe',
    'default',
    'auto',
    '50%',
    '0%',
    '150%',
    '5s',
    '10 min',
    '2h',
    '-5s',
    'PT5M',
    'P1Y',
    'P',
    '5 zebras',
  ],
  ...[
    'stop',
    'freeze',
    'ignore',
    'fence',
    'Started',
    'stopped',
    'Master',
    'Promoted',
    'block',
    'restart',
    'start',
    'Mandatory',
    'and',
    'group',
  ],
  ...[
    '#default',
    'n1',
    'n2:5s;n1:3s',
    'p',
    'c',
    'gun',
    '2026-01-31',
    '2026-01-31 20:00:00Z',
    'red',
    'green',
    '[',
    '(',
    ' ',
    '\t',
    'ü',
    '\u202e1',
  ],
];
const anyValue = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...VALUES) }, fc.string({ unit: 'grapheme', maxLength: 12 }));
const anyConfiguration = fc.uniqueArray(fc.record({ option: fc.constantFrom(...PLACED), value: anyValue }), {
  minLength: 1,
  maxLength: 8,
  selector: ({ option }) => keyOf(option),
});

/** @returns false where it is refused for its size @throws whatever else stands in the way of a plan */
function isScheduled(document: XmlElement): boolean {
  try {
    schedule(readCib(serializeXml(document)), { now: 1_795_000_000 });
    return true;
  } catch (error) {
    if (error instanceof CibRefused) return false;
    throw error;
  }
}

describe('any configuration of any options', () => {
  it('is refused, or scheduled; what of it is done by nobody is told of', () => {
    fc.assert(
      fc.property(anyConfiguration, (all) => {
        const verdict = judged(documentWith(all));
        if (verdict.as === 'refused' || !isScheduled(verdict.document)) return;
        const silent = all.filter(
          ({ option: { conduct, type }, value }) => conductOf(conduct) === 'refused' && takesAnything(type) && value !== '',
        );
        for (const { option } of silent) expect(verdict.told.some((id) => id.startsWith(option.at))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
