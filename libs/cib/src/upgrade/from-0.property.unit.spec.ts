import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descendants } from '../document/cib-index.js';
import { CibRefused } from '../document/cib-refused.js';
import { readCib } from '../document/cib.js';
import { validateCib } from '../schema/validate-cib.js';
import { element, firstChildNamed, type XmlElement } from '../xml/element.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { upgradeCib } from './upgrade-cib.js';

/** Ids of which some are no XML ids, and all meet. */
const id = fc.constantFrom('a', 'b', 'c', 'web', '1', '10.0.0.1', 'x:y', 'a-meta', 'a-monitor-0');
const value = fc.constantFrom('true', 'no', 'infinity', '-INFINITY', '0', '7', 'stopped', 'master', 'default', '#default', 'text', '10s');
const pairName = fc.constantFrom(
  ...[
    'stonith_enabled',
    'no_quorum_policy',
    'default_resource_stickiness',
    'is_managed',
    'is-managed',
    'target_role',
    'clone_max',
    'priority',
  ],
  ...[
    'resource_failure_stickiness',
    'restart_type',
    'ip',
    'notify',
    'host_list',
    'requires',
    'start_delay',
    'short_resource_names',
    'transition_idle_timeout',
  ],
);

/** Some of these attributes, or none. */
const attributes = (...names: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .subarray([...names])
    .chain((chosen) =>
      fc.tuple(...chosen.map(() => value)).map((values) => Object.fromEntries(chosen.map((name, index) => [name, values[index] ?? '']))),
    );

const pair = fc.tuple(id, pairName, value).map(([own, name, text]) => element('nvpair', { id: own, name, value: text }));
const rule = fc.tuple(id, attributes('score', 'boolean_op', 'role')).map(([own, given]) => element('rule', { id: own, ...given }));

const set = (name: string): fc.Arbitrary<XmlElement> =>
  fc
    .tuple(id, fc.array(pair, { maxLength: 4 }), fc.boolean(), fc.option(rule, { freq: 4 }))
    .map(([own, pairs, contained, under]) =>
      element(name, { id: own }, [...(under === null ? [] : [under]), ...(contained ? [element('attributes', {}, pairs)] : pairs)]),
    );

const operation = fc
  .tuple(
    fc.option(id),
    attributes('interval', 'start_delay', 'on_fail', 'disabled', 'prereq', 'role', 'start-delay'),
    fc.array(set('instance_attributes'), { maxLength: 1 }),
  )
  .map(([own, given, sets]) => element('op', { ...(own === null ? {} : { id: own }), name: 'monitor', ...given }, sets));

const primitive = fc
  .tuple(
    id,
    fc.constantFrom(
      { class: 'ocf', provider: 'heartbeat', type: 'pingd' },
      { class: 'ocf', type: 'IPaddr' },
      { class: 'lsb', type: 'x', provider: 'heartbeat' },
    ),
    attributes('is_managed', 'resource_stickiness', 'on_stopfail', 'start_prereq', 'multiple_active'),
    fc.array(fc.oneof(set('instance_attributes'), set('meta_attributes')), { maxLength: 3 }),
    fc.array(operation, { maxLength: 2 }),
  )
  .map(([own, agent, given, sets, operations]) =>
    element('primitive', { id: own, ...agent, ...given }, [...sets, element('operations', {}, operations)]),
  );

const resource = fc.oneof(
  primitive,
  fc
    .tuple(
      id,
      fc.constantFrom('clone', 'master_slave', 'group'),
      attributes('ordered', 'notify'),
      fc.array(set('instance_attributes'), { maxLength: 1 }),
      primitive,
    )
    .map(([own, name, given, sets, inner]) => element(name, { id: own, ...given }, [...sets, inner])),
);

const constraint = fc.oneof(
  fc
    .tuple(id, id, id, attributes('type', 'action', 'to_action', 'symmetrical', 'score'))
    .map(([own, from, to, given]) => element('rsc_order', { id: own, from, to, ...given })),
  fc
    .tuple(id, id, id, attributes('from_role', 'to_role', 'symmetrical', 'score'))
    .map(([own, from, to, given]) => element('rsc_colocation', { id: own, from, to, ...given })),
  fc
    .tuple(id, id, fc.array(rule, { minLength: 1, maxLength: 2 }))
    .map(([own, rsc, rules]) => element('rsc_location', { id: own, rsc }, rules)),
);

const node = fc
  .tuple(id, fc.constantFrom('member', 'normal', 'ping'), fc.array(set('instance_attributes'), { maxLength: 1 }))
  .map(([own, type, sets]) => element('node', { id: own, uname: `n-${own}`, type }, sets));

const document = fc
  .tuple(
    fc.array(fc.oneof(set('cluster_property_set'), pair), { maxLength: 2 }),
    fc.array(node, { maxLength: 2 }),
    fc.array(resource, { maxLength: 3 }),
    fc.array(constraint, { maxLength: 3 }),
  )
  .map(([options, nodes, resources, constraints]) =>
    element('cib', { 'validate-with': 'pacemaker-0.6', epoch: '1', num_peers: '2' }, [
      element('configuration', {}, [
        element('crm_config', {}, options),
        element('nodes', {}, nodes),
        element('resources', {}, resources),
        element('constraints', {}, constraints),
      ]),
    ]),
  );

describe('any document of the Heartbeat 2 generation', () => {
  it('loses nothing without a word', () => {
    fc.assert(
      fc.property(document, (source) => {
        const { document: result, changes, problems } = upgradeCib(source, 'convert');
        const said = [...changes, ...problems].map(({ id: own, message }) => `${own ?? ''} ${message}`).join('\n');
        const present = new Set<string>();
        for (const { attributes: given } of descendants(result)) for (const text of Object.values(given)) present.add(text);
        const configuration = firstChildNamed(source, 'configuration');
        for (const { name, attributes: given } of configuration === undefined ? [] : descendants(configuration)) {
          for (const [attribute, text] of Object.entries(given)) {
            // Each value is still there, or it was said that it is not.
            if (!present.has(text) && !said.includes(text)) expect.fail(`${name} ${attribute}="${text}" is gone, and nothing says so`);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('becomes a valid one, or is refused with what is wrong', () => {
    fc.assert(
      fc.property(document, (source) => {
        try {
          const { document: result } = readCib(source, { strict: true, old: 'convert' });
          expect(validateCib(result)).toEqual([]);
        } catch (error) {
          if (!(error instanceof CibRefused)) throw error;
          expect(error.problems.length).toBeGreaterThan(0);
          // Only what the author must decide: what says two things, means nobody, or names one thing twice.
          for (const { message } of error.problems) {
            expect(message).toMatch(
              /leave one|is no id: start|nothing has the id|is taken by|is no boolean|is not known: use|is no score|neither before|needs a|needs first and then|rule that has no id/,
            );
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('comes out of a second conversion as it is', () => {
    fc.assert(
      fc.property(document, (source) => {
        const { document: once } = upgradeCib(source, 'convert');
        const again = upgradeCib({ ...once, attributes: { ...once.attributes, 'validate-with': 'pacemaker-0.6' } }, 'convert');
        // What was refused is as it was.
        if (!isRefused(source)) expect(serializeXml(again.document)).toBe(serializeXml(once));
      }),
      { numRuns: 50 },
    );
  });
});

function isRefused(source: XmlElement): boolean {
  try {
    readCib(source, { strict: true, old: 'convert' });
    return false;
  } catch {
    return true;
  }
}
