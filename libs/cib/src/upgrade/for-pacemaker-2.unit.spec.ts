import { describe, expect, it } from 'vitest';
import { firstChildNamed } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { forPacemaker2 } from './for-pacemaker-2.js';

function downgrade(configuration: string): readonly [string, readonly string[]] {
  const cib = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" epoch="1"><configuration>${configuration}</configuration><status><node_state id="1" crm_feature_set="3"/></status></cib>`;
  const { document, changes } = forPacemaker2(parseXml(cib));
  expect(document.attributes).toEqual({ 'validate-with': 'pacemaker-3.9', epoch: '1' });
  expect(firstChildNamed(document, 'status')?.children).toHaveLength(1);
  const content = firstChildNamed(document, 'configuration');
  const text = content === undefined ? '' : serializeXml(content).replace(/>\s+</g, '><').trim();
  return [text, changes.map(({ kind, message }) => `${kind} ${message}`).filter((line) => !/validate-with|crm_feature_set/.test(line))];
}

const options = (...pairs: readonly (readonly [string, string])[]): string =>
  `<crm_config><cluster_property_set id="o">${pairs.map(([name, value], index) => `<nvpair id="p${String(index)}" name="${name}" value="${value}"/>`).join('')}</cluster_property_set></crm_config>`;

describe('a document for the tools of Pacemaker 2.1', () => {
  it('has the older names of options, and a value that was named otherwise', () => {
    const [text, said] = downgrade(options(['fencing-enabled', 'true'], ['no-quorum-policy', 'fence'], ['stonith-timeout', '9s']));
    expect(text).toContain('name="stonith-enabled" value="true"');
    expect(text).toContain('name="no-quorum-policy" value="suicide"');
    expect(text).toContain('name="stonith-timeout" value="9s"');
    expect(said).toEqual([
      'rewritten the name fencing-enabled is stonith-enabled there',
      'rewritten the value "fence" of no-quorum-policy is "suicide" there',
    ]);
  });

  it('has one name where both were given', () => {
    const [text, said] = downgrade(options(['fencing-enabled', 'true'], ['stonith-enabled', 'false']));
    expect(text).not.toContain('fencing-enabled');
    expect(said).toEqual([expect.stringMatching(/^check fencing-enabled="true" is left out: stonith-enabled/)]);
  });

  it('lacks what their schemas refuse', () => {
    const [text, said] = downgrade(
      options(
        ['default-action-timeout', '9'],
        ['stonith_enabled', '1'],
        ['cluster-infrastructure', 'cman'],
        ['default-resource-failure-stickiness', '-5'],
      ) +
        `<resources><primitive id="a" class="lsb" type="x"><meta_attributes id="m"><nvpair id="i" name="isolation" value="x"/><nvpair id="r" name="requires" value="quorum"/></meta_attributes>
           <operations><op id="op" name="start" interval="0"><meta_attributes id="om"><nvpair id="or" name="requires" value="quorum"/></meta_attributes></op></operations></primitive></resources>`,
    );
    expect(text.match(/<nvpair/g)).toHaveLength(1);
    expect(text).toContain('<nvpair id="r" name="requires" value="quorum"/>');
    expect(said.map((line) => line.split(/:? /).slice(0, 2).join(' '))).toEqual([
      'dropped default-action-timeout="9"',
      'dropped stonith_enabled="1"',
      'dropped cluster-infrastructure="cman"',
      'check default-resource-failure-stickiness="-5"',
      'dropped isolation="x"',
      'dropped requires="quorum"',
    ]);
  });

  it('keeps what only Systole does, and says that nobody does it there', () => {
    const [text, said] = downgrade(options(['systole-two-node', 'true'], ['failure-stickiness-enabled', 'true']));
    expect(text).toContain('systole-two-node');
    expect(said).toHaveLength(2);
    expect(said.every((line) => line.startsWith('check') && line.includes("Systole's own"))).toBe(true);
  });
});
