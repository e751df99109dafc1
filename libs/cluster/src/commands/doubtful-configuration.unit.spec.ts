import { describe, expect, it } from 'vitest';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { append, option, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import type { Decision } from './decision.js';
import { decide } from './decide.js';

const cib = (options: string, resources = '', schema = 'pacemaker-4.0'): string =>
  `<cib validate-with="${schema}" admin_epoch="0" epoch="1" num_updates="0"><configuration>` +
  `<crm_config><cluster_property_set id="cib-bootstrap-options">${options}</cluster_property_set></crm_config><nodes/>` +
  `<resources>${resources}</resources><constraints/></configuration><status/></cib>`;
const replace = (text: string, force?: true): ClusterCommand => ({
  type: 'replace-configuration',
  cib: text,
  ...(force === undefined ? {} : { force }),
});
const optionPatch = (name: string, value: string, force?: true): ClusterCommand => ({
  type: 'edit-configuration',
  edits: [{ edit: 'patch', collection: 'properties', patch: { cluster_property_set: { [name]: value } } }],
  ...(force === undefined ? {} : { force }),
});

const refusal = (decision: Decision): readonly string[] => {
  if (decision.ok) throw new Error('it was accepted');
  const { code, issues = [] } = decision.rejection;
  return [code, ...issues.map(({ message, standing, finding }) => `${finding ?? ''}${standing === true ? ' (standing)' : ''} ${message}`)];
};
const after = (state: ClusterState, command: ClusterCommand): ClusterState => {
  const decision = decide(command, state);
  if (!decision.ok) throw new Error(decision.rejection.message);
  return append(state, ...decision.events);
};

const MISSPELT = `${option('stonith-enabld', 'false')}${option('no-quorum-policy', 'freze')}`;

describe('a configuration that says what is surely not meant', () => {
  it.each([
    [
      'at its creation',
      initialState(),
      (force?: true): ClusterCommand => ({
        type: 'create-cluster',
        name: 'c',
        cib: cib(MISSPELT),
        ...(force === undefined ? {} : { force }),
      }),
    ],
    ['as a whole', threeNodes(), (force?: true): ClusterCommand => replace(cib(MISSPELT), force)],
  ] as const)('is refused %s with all of it, and taken when forced, which is recorded', (_, state, command) => {
    expect(refusal(decide(command(), state))).toEqual([
      'doubtful-configuration',
      expect.stringMatching(/^unknown-name stonith-enabld is not known: did you mean stonith-enabled\?; meanwhile/),
      expect.stringMatching(/^unreadable-value no-quorum-policy: "freze" is not valid/),
    ]);
    const forced = decide(command(true), state);
    expect(forced).toMatchObject({
      ok: true,
      events: [
        {
          data: {
            forced: { count: 2, findings: [{ attribute: 'name', message: expect.stringContaining('stonith-enabld') as string }, {}] },
          },
        },
      ],
    });
  });

  it('is told whole where it is not valid either, with what nodes know of its agents', () => {
    const resources = '<primitive id="db" class="ocf" provider="heartbeat" type="Dumy"/>';
    const location = '<constraints><rsc_location id="l" rsc="db" node="n1" score="5x0"/></constraints>';
    const agents = { classes: ['ocf'], agents: { 'ocf:heartbeat:Dummy': [[]] } };
    const command = { type: 'replace-configuration', cib: cib(MISSPELT, resources).replace('<constraints/>', location), agents } as const;
    const [code, ...issues] = refusal(decide(command, threeNodes()));
    expect(code).toBe('invalid-configuration');
    for (const told of [/5x0/, /stonith-enabld/, /freze/, /^unknown-agent .*Dumy/])
      expect(issues).toContainEqual(expect.stringMatching(told));
    expect(issues).toHaveLength(4);
  });

  it('is refused by element, with the place in the edits', () => {
    const decision = decide(optionPatch('stonith-enabld', 'false'), threeNodes());
    expect(decision).toMatchObject({
      ok: false,
      rejection: {
        status: 422,
        code: 'doubtful-configuration',
        issues: [{ pointer: '/edits/0/patch/cluster_property_set/stonith-enabld', suggestion: 'stonith-enabled', finding: 'unknown-name' }],
      },
    });
    expect(decide(optionPatch('stonith-enabld', 'false', true), threeNodes())).toMatchObject({
      events: [{ type: 'ConfigurationChanged', data: { command: 'edit-configuration', forced: { count: 1 } } }],
    });
  });

  it('keeps nobody from changing something else once it is there, or from leaving it there', () => {
    const state = after(threeNodes(), replace(cib(MISSPELT), true));
    const changed = decide(optionPatch('symmetric-cluster', 'false'), state);
    expect(changed).toMatchObject({ ok: true, events: [{ type: 'ConfigurationChanged' }] });
    expect(JSON.stringify(changed)).not.toContain('forced');
    const imported = decide(replace(cib(`${MISSPELT}${option('symmetric-cluster', 'false')}`)), state);
    expect(imported.ok).toBe(true);
  });

  it('lists also what was there before, as such, when something new is refused', () => {
    const state = after(threeNodes(), replace(cib(MISSPELT), true));
    expect(refusal(decide(optionPatch('symetric-cluster', 'false'), state))).toEqual([
      'doubtful-configuration',
      expect.stringContaining('unknown-name symetric-cluster'),
      expect.stringContaining('unknown-name (standing) stonith-enabld'),
      expect.stringContaining('unreadable-value (standing) no-quorum-policy'),
    ]);
    expect(decide(optionPatch('symetric-cluster', 'false', true), state)).toMatchObject({ events: [{ data: { forced: { count: 1 } } }] });
  });

  it('is told together with what is not valid, which nobody can force', () => {
    const wrong =
      '<primitive id="p" class="lsb" type="x"><operations><op id="o" name="monitor" interval="often" on-fail="explode"/></operations></primitive>';
    for (const force of [undefined, true] as const) {
      const told = refusal(decide(replace(cib(MISSPELT, wrong), force), threeNodes()));
      expect(told[0]).toBe('invalid-configuration');
      expect(told.join('\n')).toMatch(/explode[^]*3 parsecs|explode[^]*often/);
      expect(told.join('\n')).toMatch(/stonith-enabld[^]*freze/);
    }
  });

  it('is taken from a document that asks not to be validated', () => {
    expect(decide(replace(cib(MISSPELT, '', 'none')), threeNodes()).ok).toBe(true);
  });

  it('is named only so far in the event, and in the refusal', () => {
    const many = Array.from(
      { length: 1_500 },
      (_, index) => `<nvpair id="o${String(index)}" name="stonith-enabld" value="${String(index)}"/>`,
    ).join('');
    expect(refusal(decide(replace(cib(many)), threeNodes()))).toHaveLength(1_001);
    const forced = decide(replace(cib(many), true), threeNodes());
    if (!forced.ok || forced.events[0]?.type !== 'ConfigurationChanged') throw new Error('not taken');
    expect(forced.events[0].data.forced?.count).toBe(1_500);
    expect(forced.events[0].data.forced?.findings).toHaveLength(100);
  });
});
