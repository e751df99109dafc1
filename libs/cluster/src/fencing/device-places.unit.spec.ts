import { diffConfiguration, readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { append, EPOCH, execute, option, threeNodes } from '../testing/stream.js';
import { fencingDevices } from './device.js';
import { keptDevices } from './device-places.js';
import { executorsFor, fencingStep } from './fencing-step.js';
import { device, FENCE_N3, level, playFencing, withLostNode } from './testing/fencing-cluster.js';

type Written = NonNullable<Parameters<typeof threeNodes>[0]>;

function clusterWith(written: Written): ClusterState {
  return threeNodes({ resources: device('f'), ...written });
}

let ids = 0;
const ban = (of: string, node: string, score = '-INFINITY'): string =>
  `<rsc_location id="ban${String(ids++)}" ${of} node="${node}" score="${score}"/>`;
const users = (state: ClusterState, id = 'f', target = 'n3', action: 'off' | 'on' = 'off'): readonly string[] => {
  const found = fencingDevices(state.cib, 0).find((one) => one.id === id);
  if (found === undefined) throw new Error(`no device ${id}`);
  return executorsFor(state, found, target, action);
};

describe('a node from which location constraints keep a fence device', () => {
  it.each<[string, Written, readonly string[]]>([
    ['is banned', { constraints: ban('rsc="f"', 'n1') }, ['n2']],
    ['is not one with less than none left', { constraints: ban('rsc="f"', 'n1', '-10') + ban('rsc="f"', 'n1', '10') }, ['n1', 'n2']],
    ['has less than 0 in all', { constraints: ban('rsc="f"', 'n1', '-10') + ban('rsc="f"', 'n1', '9') }, ['n2']],
    ['is banned by a pattern', { constraints: ban('rsc-pattern="^f$"', 'n1') }, ['n2']],
    ['is banned by a tag', { constraints: ban('rsc="t"', 'n1'), more: '<tags><tag id="t"><obj_ref id="f"/></tag></tags>' }, ['n2']],
    ['is banned with a group', { resources: `<group id="g">${device('f')}</group>`, constraints: ban('rsc="g"', 'n1') }, ['n2']],
    [
      'is banned with what stands before it in its group',
      { resources: `<group id="g">${device('e')}${device('f')}</group>`, constraints: ban('rsc="e"', 'n1') },
      ['n2'],
    ],
    ['is banned with a clone', { resources: `<clone id="k">${device('f')}</clone>`, constraints: ban('rsc="k"', 'n1') }, ['n2']],
    [
      'is banned with the template',
      {
        resources: '<template id="t" class="stonith" type="fence_test"/><primitive id="f" template="t"/>',
        constraints: ban('rsc="t"', 'n1'),
      },
      ['n2'],
    ],
    [
      'is banned by a rule',
      {
        constraints:
          '<rsc_location id="l" rsc="f"><rule id="r" score="-INFINITY"><expression id="e" attribute="#uname" operation="ne" value="n2"/></rule></rsc_location>',
      },
      ['n2'],
    ],
    [
      'is one where it is not looked for',
      { constraints: '<rsc_location id="l" rsc="f" node="n2" score="0" resource-discovery="exclusive"/>' },
      ['n2'],
    ],
    ['is none for another resource', { resources: device('f') + device('g'), constraints: ban('rsc="g"', 'n1') }, ['n1', 'n2']],
    [
      'is not one that is named in an opt-in cluster',
      { constraints: ban('rsc="f"', 'n2', '1'), options: option('symmetric-cluster', 'false') },
      ['n2'],
    ],
    [
      'is none in an opt-in cluster in which nothing is said of the device',
      { resources: device('f') + device('g'), constraints: ban('rsc="g"', 'n2', '1'), options: option('symmetric-cluster', 'false') },
      ['n1', 'n2'],
    ],
  ])('%s', (_, written, left) => {
    expect(users(clusterWith(written))).toEqual(left);
  });

  it('is one for which a rule says so by now', () => {
    const rule = '<rule id="r" score="-INFINITY"><expression id="e" attribute="far" operation="eq" value="1"/></rule>';
    const near = clusterWith({ constraints: `<rsc_location id="l" rsc="f">${rule}</rsc_location>` });
    const far = execute(near, { type: 'set-node-attribute', node: 'n1', name: 'far', value: '1', lifetime: 'reboot' });
    expect([users(near), users(far), users(near)]).toEqual([['n1', 'n2'], ['n2'], ['n1', 'n2']]);
  });

  it('does not use it, nor unfences itself by it', () => {
    const state = clusterWith({ constraints: ban('rsc="f"', 'n1') });
    expect(playFencing(withLostNode(state), [false, true]).log).toEqual(['reboot by f on n2', 'reboot by f on n2', 'finished ok']);
    expect(users(state, 'f', 'n1', 'on')).toEqual(['n2', 'n3']);
    expect(users(state, 'f', 'n2', 'on')).toEqual(['n2']);
  });
});

describe('a fence device that location constraints keep from every node that is online', () => {
  const both = device('f') + device('g');
  const everywhere = ban('rsc="f"', 'n1') + ban('rsc="f"', 'n2');

  it('is passed over where there is another one', () => {
    expect(playFencing(withLostNode(clusterWith({ resources: both, constraints: everywhere })), [true]).log).toEqual([
      'reboot by g on n1',
      'finished ok',
    ]);
    const levels = `<fencing-topology>${level(1, 'f,g')}${level(2, 'g')}</fencing-topology>`;
    expect(playFencing(withLostNode(clusterWith({ resources: both, constraints: everywhere, more: levels })), [true]).log).toEqual([
      'reboot by g on n1',
      'finished ok',
    ]);
  });

  it('is waited for where it is the only one', () => {
    expect(fencingStep(withLostNode(clusterWith({ constraints: everywhere })), FENCE_N3)).toEqual({
      type: 'held',
      reason:
        'location constraints keep f from every node that is online and could fence n3 by it: allow it on one of them, or confirm that n3 is down',
    });
  });

  it('is tried anew when others may use it', () => {
    const resources = device('f', { pcmk_reboot_retries: '1' });
    const failed = playFencing(withLostNode(clusterWith({ resources, constraints: ban('rsc="f"', 'n1') })), [false]).state;
    expect(failed.fencingFailures['n3']?.count).toBe(1);
    const changes = diffConfiguration(failed.cib, clusterWith({ resources }).cib);
    const allowed = append(failed, { type: 'ConfigurationChanged', data: { command: 't', arguments: {}, changes } });
    expect(allowed.fencingFailures).toEqual({});
  });
});

describe('any location constraints', () => {
  const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
  const maybe = (name: string, ...values: readonly string[]): fc.Arbitrary<string> =>
    pick('', '', ...values).map((value) => (value === '' ? '' : ` ${name}="${value}"`));
  const attributes = (...all: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.tuple(...all).map((written) => written.join(''));
  const names = ['f', 'f', 'h', 'e', 'g', 'tag', 'template', 'nowhere'] as const;
  const scores = ['-INFINITY', '-5', '-5', '0', '5', '9', 'INFINITY', 'x'] as const;
  const condition = pick(
    '<expression id="ID" attribute="#uname" operation="eq" value="n1"/>',
    '<expression id="ID" attribute="#uname" operation="ne" value="n2"/>',
    '<expression id="ID" attribute="far" operation="eq" value="1"/>',
    '<expression id="ID" attribute="far" operation="not_defined"/>',
    '<date_expression id="ID" operation="gt" start="2026-01-01T00:00:05Z"/>',
  );
  const rule = fc
    .tuple(attributes(maybe('score', ...scores), maybe('score-attribute', 'far'), maybe('role', 'Started', 'Promoted')), condition)
    .map(([written, inner]) => `<rule id="ID"${written}>${inner}</rule>`);
  const sets = fc
    .tuple(maybe('score', ...scores), fc.array(pick(...names), { minLength: 1, maxLength: 3 }))
    .map(
      ([score, members]) => `<resource_set id="ID"${score}>${members.map((id) => `<resource_ref id="${id}"/>`).join('')}</resource_set>`,
    );
  const constraint = fc
    .tuple(
      attributes(
        maybe('rsc', ...names, ...names),
        maybe('rsc-pattern', '^f$', '!^f$', '[ef]', '['),
        maybe('node', 'n1', 'n2', 'N1', 'n9'),
        maybe('score', ...scores),
        maybe('role', 'Started', 'Stopped', 'x'),
        maybe('resource-discovery', 'always', 'never', 'exclusive'),
      ),
      fc.oneof(fc.constant(''), fc.constant(''), rule, sets),
    )
    .map(([written, inner]) => `<rsc_location id="ID"${written}>${inner}</rsc_location>`);

  it('keep a device from where the scheduler would not place it for them', () => {
    const documents = fc.tuple(
      fc.array(constraint, { maxLength: 4 }),
      pick('true', 'true', 'false'),
      pick(undefined, '1', '-9'),
      pick(0, 10),
    );
    fc.assert(
      fc.property(documents, ([written, symmetric, far, seconds]) => {
        let next = 0;
        const constraints = written.join('').replaceAll('"ID"', () => `"i${String(next++)}"`);
        const cib =
          '<cib validate-with="none" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config><cluster_property_set id="o">' +
          `${option('symmetric-cluster', symmetric)}</cluster_property_set></crm_config><nodes>${[1, 2, 3].map((n) => `<node id="${String(n)}" uname="n${String(n)}"/>`).join('')}</nodes>` +
          `<resources><template id="template" class="stonith" type="fence_test"/>${device('f')}<primitive id="h" template="template"/><group id="g">${device('e')}</group></resources>` +
          `<constraints>${constraints}</constraints><tags><tag id="tag"><obj_ref id="f"/><obj_ref id="e"/></tag></tags></configuration><status/></cib>`;
        const joined = execute(
          append(initialState(), { type: 'ClusterCreated', data: { name: 'c', cib } }),
          ...['n1', 'n2', 'n3'].map((node) => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }) as const),
          ...(far === undefined ? [] : [{ type: 'set-node-attribute', node: 'n1', name: 'far', value: far, lifetime: 'reboot' } as const]),
        );
        const now = EPOCH / 1000 + seconds;
        const { scores: placed } = schedule(readCib(joined.cib), { now });
        for (const id of ['f', 'h', 'e']) {
          const found = placed.filter(({ resource }) => resource === id);
          // Nothing said of it in an opt-in cluster: the scheduler places it nowhere, and yet any node may use it.
          if (found.length === 0) continue;
          const kept = [...(keptDevices(joined.cib, now * 1000).get(id) ?? [])];
          const expected = ['n1', 'n2', 'n3'].filter((node) => !found.some((one) => one.node === node && one.score >= 0));
          expect({ id, kept }).toEqual({ id, kept: expected });
        }
      }),
      { numRuns: 300 },
    );
  });
});
