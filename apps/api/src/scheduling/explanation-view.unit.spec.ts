import { readCib } from '@systole/cib';
import { schedule, type Schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { explanationView, type ExplanationSelection, type ExplanationView } from './explanation-view.js';
import { nearMatches } from '@systole/cib';

const online = (id: string, name: string): string =>
  `<node_state id="${id}" uname="${name}" in_ccm="true" crmd="online" join="member" expected="member"/>`;

const dummy = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`;

function explained(resources: string, constraints = '', nodes: readonly string[] = ['ace', 'king']): Schedule {
  const cib = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" epoch="1" num_updates="0" admin_epoch="0" have-quorum="1">
    <configuration>
      <crm_config><cluster_property_set id="o"><nvpair id="o-f" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
      <nodes>${nodes.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes>
      <resources>${resources}</resources><constraints>${constraints}</constraints>
    </configuration>
    <status>${nodes.map((name, index) => online(String(index + 1), name)).join('')}</status>
  </cib>`;
  return schedule(readCib(cib), { now: 1_700_000_000, explain: true, scores: false });
}

const EVERYTHING: ExplanationSelection = { resources: [], actions: 'all', parts: false };

function view(from: Schedule, selection: Partial<ExplanationSelection> = {}): ExplanationView {
  const outcome = explanationView(from, { ...EVERYTHING, ...selection });
  if ('unknown' in outcome) throw new Error(`${outcome.unknown.name} is unknown`);
  return outcome.view;
}

const ids = ({ placements }: ExplanationView): readonly string[] => placements.map(({ resource }) => resource);

const TREE = `<group id="shop">${dummy('ip')}${dummy('site')}</group><clone id="caches">${dummy('cache')}</clone>${dummy('log')}`;

describe('what is selected of an explanation', () => {
  it('is everything, in the order of the tree, with what each belongs to', () => {
    expect(view(explained(TREE)).placements.map(({ resource, within }) => [resource, within])).toEqual([
      ['ip', ['shop']],
      ['site', ['shop']],
      ['cache:0', ['caches']],
      ['cache:1', ['caches']],
      ['log', []],
    ]);
  });

  it('is found by the id of a group or clone, of an instance, or of the primitive that instances are made from', () => {
    const found = explained(TREE);
    expect(ids(view(found, { resources: ['shop'] }))).toEqual(['ip', 'site']);
    expect(ids(view(found, { resources: ['caches'] }))).toEqual(['cache:0', 'cache:1']);
    expect(ids(view(found, { resources: ['cache'] }))).toEqual(['cache:0', 'cache:1']);
    expect(ids(view(found, { resources: ['cache:1', 'log'] }))).toEqual(['cache:1', 'log']);
  });

  it('has the actions of the resources and the node only, of the state that is asked for', () => {
    const ordered = explained(
      dummy('db') + dummy('app'),
      '<rsc_order id="o" first="db" then="app"/><rsc_location id="l1" rsc="db" node="ace" score="-INFINITY"/>' +
        '<rsc_location id="l2" rsc="db" node="king" score="-INFINITY"/>',
    );
    const names = (selection: Partial<ExplanationSelection>): readonly string[] => view(ordered, selection).actions.map(({ name }) => name);
    expect(names({ resources: ['app'], actions: 'blocked' })).toEqual(['start of app on ace']);
    expect(names({ node: 'king' })).toEqual(['probe of db on king', 'probe of app on king']);
    expect(names({ resources: ['db'], actions: 'planned' })).toEqual(['probe of db on ace', 'probe of db on king']);
  });

  it('has the candidates on one node only where a node is named, and parts where they are asked for', () => {
    const found = explained(dummy('log'), '<rsc_location id="l" rsc="log" node="king" score="5"/>');
    expect(view(found).placements[0]?.candidates).toEqual([
      { node: 'king', score: 5 },
      { node: 'ace', score: 0 },
    ]);
    expect(view(found, { node: 'king', parts: true }).placements[0]?.candidates).toEqual([
      { node: 'king', score: 5, parts: [{ amount: 5, text: 'location l', cause: { kind: 'location', constraint: 'l' } }] },
    ]);
  });

  it('stays short in large clusters, and says what it left out', () => {
    const one = explained(dummy('r'));
    const [resource] = one.resources;
    const [placement] = one.explanation?.placements ?? [];
    const [action] = one.explanation?.actions ?? [];
    if (!resource || !placement || !action) throw new Error('nothing was explained');
    const candidates = Array.from({ length: 40 }, (_, index) => ({ node: `n${String(index)}`, score: 0, parts: [] }));
    const names = Array.from({ length: 1_000 }, (_, index) => `r${String(index)}`);
    const found: Schedule = {
      ...one,
      resources: names.map((id) => ({ ...resource, id })),
      explanation: {
        placements: names.map((id) => ({ ...placement, resource: id, node: 'n39', candidates })),
        actions: Array.from({ length: 6_000 }, (_, id) => ({ ...action, id })),
      },
    };
    const all = view(found);
    expect(all.placements).toHaveLength(1_000);
    expect(all.placements.every(({ candidates, moreCandidates }) => candidates.length + (moreCandidates ?? 0) === 40)).toBe(true);
    expect(all.placements.reduce((sum, { candidates }) => sum + candidates.length, 0)).toBeLessThan(22_000);
    expect(all.placements.every(({ node, candidates }) => candidates.some((candidate) => candidate.node === node))).toBe(true);
    expect(all.actions).toHaveLength(5_000);
    expect(all.moreActions).toBe(1_000);
    expect(view(found, { resources: ['r7'] }).placements[0]?.candidates).toHaveLength(40);
  });

  it('names what may have been meant instead of what is not there', () => {
    const found = explained(TREE);
    expect(explanationView(found, { ...EVERYTHING, resources: ['log', 'cahces'] })).toEqual({
      unknown: { what: 'resource', name: 'cahces', near: ['caches', 'cache'] },
    });
    expect(explanationView(found, { ...EVERYTHING, node: 'kingg' })).toEqual({
      unknown: { what: 'node', name: 'kingg', near: ['king'] },
    });
  });
});

describe('near matches', () => {
  it('are names that differ in a few letters, or contain one another; the nearest first', () => {
    expect(nearMatches('databse', ['web', 'database', 'database-ip'])).toEqual(['database']);
    expect(nearMatches('Web', ['web-ip', 'web', 'mail'])).toEqual(['web', 'web-ip']);
    expect(nearMatches('wbe', ['web', 'mail'])).toEqual(['web']);
    expect(nearMatches('x', ['web', 'mail'])).toEqual([]);
  });
});
