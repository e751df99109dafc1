import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { configuredLocations } from '../../configured-locations.js';
import { opened } from '../../model/opened.js';
import type { LocationConstraint } from '../../outcome.js';
import { readState } from '../../run.js';

const RESOURCES = 50;
const NODES = ['n1', 'n2', 'n3'];
/** Which of the nodes a rule's condition holds on. */
const VALUE = 'x';

interface Read {
  readonly locations: readonly LocationConstraint[];
  /** How often an attribute of any node was looked up. */
  readonly lookUps: number;
  readonly errors: readonly string[];
}

/** Reads a constraint that names fifty resources. */
function read(attributes: string, rule: string): Read {
  const ids = Array.from({ length: RESOURCES }, (_, index) => `r${index}`);
  const primitives = ids.map(
    (id, index) =>
      `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy">` +
      `<instance_attributes id="${id}-i"><nvpair id="${id}-p" name="p" value="${index === 7 ? VALUE : 'other'}"/></instance_attributes></primitive>`,
  );
  const cluster = readState(
    readCib(
      `<cib validate-with="pacemaker-4.0"><configuration><nodes>${NODES.map((name, index) => `<node id="${index + 1}" uname="${name}"/>`).join('')}</nodes>` +
        `<resources>${primitives.join('')}</resources>` +
        `<constraints><rsc_location id="l" ${attributes}>${rule}</rsc_location></constraints>` +
        `<tags><tag id="t">${ids.map((id) => `<obj_ref id="${id}"/>`).join('')}</tag></tags></configuration></cib>`,
    ),
    { now: 0, configurationWarnings: false },
  );
  let lookUps = 0;
  for (const { name, attributes: known } of opened(cluster).nodes) {
    known.set('a', name === 'n2' ? VALUE : 'y');
    known.set('r7-', VALUE);
    const get = known.get.bind(known);
    known.get = (key) => {
      lookUps++;
      return get(key);
    };
  }
  const before = cluster.messages.length;
  const locations = configuredLocations(cluster);
  return { locations, lookUps, errors: cluster.messages.slice(before).map(({ text }) => text) };
}

const RULE = (condition: string): string => `<rule id="ru" score="5"><expression id="e" ${condition}/></rule>`;
const namesOf = ({ nodes }: LocationConstraint): readonly string[] => nodes.map(({ node, score }) => `${node.name}=${score}`);

describe('a location constraint that names many resources', () => {
  it.each(['rsc="t"', 'rsc-pattern="^r"', 'rsc-pattern="!^nothing"'])('asks each node once what its rule asks, by %s', (by) => {
    const { locations, lookUps } = read(by, RULE(`attribute="a" operation="eq" value="${VALUE}"`));
    expect(locations.map(namesOf)).toEqual(Array.from({ length: RESOURCES }, () => ['n2=5']));
    expect(lookUps).toBe(NODES.length);
  });

  it('asks anew for each resource where the rule compares with its parameters', () => {
    const { locations } = read('rsc="t"', RULE('attribute="a" operation="eq" value="p" value-source="param"'));
    expect(locations.map(namesOf)).toEqual(Array.from({ length: RESOURCES }, (_, index) => (index === 7 ? ['n2=5'] : [])));
  });

  it('asks anew where only the second of two conditions compares with them, on the one node that gets so far', () => {
    const first = '<expression id="f" attribute="#uname" operation="ne" value="n3"/>';
    const second = '<expression id="e" attribute="a" operation="eq" value="p" value-source="param"/>';
    const { locations } = read('rsc="t"', `<rule id="ru" score="5">${first}${second}</rule>`);
    expect(locations.map(namesOf)).toEqual(Array.from({ length: RESOURCES }, (_, index) => (index === 7 ? ['n2=5'] : [])));
  });

  it('asks anew where the name of an attribute is made of what a pattern matched', () => {
    const { locations } = read('rsc-pattern="^r[0-9]+"', RULE(`attribute="%0-" operation="eq" value="${VALUE}"`));
    const all = NODES.map((name) => `${name}=5`);
    expect(locations.map(namesOf)).toEqual(Array.from({ length: RESOURCES }, (_, index) => (index === 7 ? all : [])));
  });

  it.each([
    ['an unknown node', 'node="none" score="1"', '', 'there is no node "none"'],
    ['a score that is none', 'node="n1" score="many"', '', 'its score "many" is none'],
    ['a rule that is not valid', '', '<rule id="ru"/>', 'its rule is not valid'],
    ['an unknown discovery', 'node="n1" score="1" resource-discovery="some"', '', '"some" is no resource-discovery'],
  ])('says once that it has %s', (_, attributes, rule, says) => {
    expect(read(`rsc="t" ${attributes}`, rule).errors).toEqual([expect.stringContaining(says)]);
  });
});
