import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';
import type { MoveResource, ResourceMode } from './operator-command.js';

const dummy = (id: string, within = ''): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${within}</primitive>`;
const meta = (id: string, name: string, value: string): string =>
  `<meta_attributes id="${id}-meta"><nvpair id="${id}-meta-${name}" name="${name}" value="${value}"/></meta_attributes>`;
const RESOURCES =
  `${dummy('db')}<group id="G">${dummy('g1')}${dummy('g2')}</group><clone id="C">${dummy('c1')}</clone>` +
  `<clone id="P">${meta('P', 'promotable', 'true')}${dummy('p1')}</clone><clone id="CG"><group id="H">${dummy('h1')}</group></clone>`;
const NOW = Date.parse('2026-11-24T13:04:40Z') / 1_000;

const started = (id: string, node = 'n1', operation = 'start'): ClusterCommand => ({
  type: 'record-results',
  node,
  incarnation: 1,
  results: [startedResult(id, { operation, resultId: `${operation}-${id}-${node}` })],
});
const of = (resources = RESOURCES, constraints = ''): ClusterState => threeNodes({ resources, constraints });
const set = (mode: ResourceMode, resource: string): ClusterCommand => ({ type: 'set-resource-mode', mode, resource });
const move = (more: Partial<MoveResource> = {}): MoveResource => ({ type: 'move-resource', resource: 'db', now: NOW, ...more });

const text = ({ cib }: ClusterState): string => serializeXml(cib).replace(/\n\s*/g, '');
const constraintsOf = (state: ClusterState): string => /<constraints>(.*)<\/constraints>/.exec(text(state))?.[1] ?? '';
const resourceText = (state: ClusterState, kind: string, id: string): string =>
  new RegExp(`<${kind} id="${id}"(?:[^>]*/>|.*?</${kind}>)`).exec(text(state))?.[0] ?? '';

function refusal(command: ClusterCommand, state: ClusterState): string {
  const decision = decide(command, state);
  if (decision.ok) return 'accepted';
  const { status, code, pointer = '', message } = decision.rejection;
  return `${String(status)} ${code} ${pointer}: ${message}`;
}

describe('a resource', () => {
  it('is disabled and enabled by its target-role, in one event that names command and arguments', () => {
    const before = of();
    const decision = decide({ type: 'set-resource-mode', mode: 'disable', resource: 'db', reason: 'backup' }, before);
    expect(decision).toMatchObject({
      ok: true,
      events: [{ type: 'ConfigurationChanged', data: { command: 'disable-resource', arguments: { resource: 'db' }, reason: 'backup' } }],
    });
    const off = execute(before, set('disable', 'db'));
    expect(resourceText(off, 'primitive', 'db')).toContain(
      '<nvpair id="db-meta_attributes-target-role" name="target-role" value="Stopped"/>',
    );
    expect(decide(set('disable', 'db'), off)).toMatchObject({ ok: true, events: [] });
    expect(resourceText(execute(off, set('enable', 'db')), 'primitive', 'db')).not.toContain('target-role');
    expect(decide(set('enable', 'db'), before)).toMatchObject({ ok: true, events: [] });
  });

  it('that is the pattern of a clone stands for the clone; the member of a group, also of a cloned one, for itself', () => {
    const disabled = (id: string): string => text(execute(of(), set('disable', id)));
    expect(disabled('c1')).toContain('id="C-meta_attributes-target-role"');
    expect(disabled('H')).toContain('id="CG-meta_attributes-target-role"');
    expect(disabled('h1')).toContain('id="h1-meta_attributes-target-role"');
    expect(disabled('g2')).toContain('id="g2-meta_attributes-target-role"');
    expect(disabled('p1')).toContain('id="P-meta-target-role"');
  });

  it('is enabled by saying so where a default says that it is stopped', () => {
    const defaults =
      '<rsc_defaults><meta_attributes id="d"><nvpair id="d1" name="target-role" value="Stopped"/></meta_attributes></rsc_defaults>';
    const state = threeNodes({ resources: RESOURCES, more: defaults });
    expect(resourceText(execute(state, set('enable', 'db')), 'primitive', 'db')).toContain('name="target-role" value="Started"');
  });

  it('is not enabled or managed against what it stands in', () => {
    const state = execute(of(), set('disable', 'G'), set('unmanage', 'G'));
    expect(refusal(set('enable', 'g1'), state)).toMatch(/^409 attribute-overridden \/resource: .*target-role of G.*enable G$/);
    expect(refusal(set('manage', 'g1'), state)).toMatch(/^409 attribute-overridden .*is-managed of G.*manage G$/);
  });

  it('is refused a mode that a rule decides about', () => {
    const ruled =
      '<meta_attributes id="m" score="9"><rule id="r" boolean-op="and"><date_expression id="e" operation="gt" start="1960-01-01"/></rule>' +
      '<nvpair id="m1" name="target-role" value="Started"/></meta_attributes>';
    expect(refusal(set('disable', 'db'), of(dummy('db', ruled)))).toMatch(/^409 attribute-overridden .*rule/);
  });

  it('is promoted and demoted where it can be', () => {
    const demoted = execute(of(), set('demote', 'p1'));
    expect(resourceText(demoted, 'clone', 'P')).toContain('name="target-role" value="Unpromoted"');
    expect(resourceText(execute(demoted, set('promote', 'P')), 'clone', 'P')).toContain('name="target-role" value="Promoted"');
    expect(refusal(set('promote', 'db'), of())).toMatch(/^422 invalid-argument \/resource: db can't be promoted/);
  });

  it('is managed with everything in it, and put in maintenance', () => {
    const state = execute(of(), set('unmanage', 'g1'), set('unmanage', 'G'), set('maintain', 'db'));
    expect(resourceText(state, 'group', 'G').match(/is-managed/g)).toHaveLength(4);
    const managed = execute(state, set('manage', 'G'), set('unmaintain', 'db'));
    expect(text(managed)).not.toMatch(/name="(?:is-managed|maintenance)"/);
    expect(decide(set('manage', 'db'), state)).toMatchObject({ ok: true, events: [] });
  });

  it('that is not there is refused with what may have been meant', () => {
    expect(refusal(set('disable', 'dbb'), of())).toBe(
      '404 resource-not-found /resource: the cluster has no resource dbb: did you mean db?',
    );
  });
});

describe('a move', () => {
  it('to a node takes the place of an earlier one and of a ban there, as crm_resource does', () => {
    const state = execute(
      of(),
      { ...move(), type: 'ban-resource', node: 'n2' },
      { ...move(), type: 'ban-resource', node: 'n1' },
      move({ node: 'n3' }),
    );
    const moved = execute(state, move({ node: 'n2' }));
    expect(constraintsOf(moved)).toBe(
      '<rsc_location id="cli-prefer-db" rsc="db" role="Started" node="n2" score="INFINITY"/>' +
        '<rsc_location id="cli-ban-db-on-n1" rsc="db" role="Started" node="n1" score="-INFINITY"/>',
    );
    expect(decide(move({ node: 'n2' }), moved)).toMatchObject({ ok: true, events: [] });
  });

  it('without a node bans where it runs, when that is one place', () => {
    const running = execute(of(), started('db'));
    expect(constraintsOf(execute(running, move()))).toContain('cli-ban-db-on-n1');
    expect(decide(move(), running)).toMatchObject({
      events: [{ data: { command: 'move-resource', arguments: { resource: 'db', node: 'n1' } } }],
    });
    expect(refusal(move(), of())).toMatch(/^409 place-not-clear \/node: db is active nowhere/);
    expect(refusal(move({ resource: 'C' }), execute(of(), started('c1'), started('c1', 'n2')))).toMatch(/active on n1, n2: name the node/);
    const promoted = execute(of(), started('p1'), started('p1', 'n2'), started('p1', 'n2', 'promote'));
    expect(constraintsOf(execute(promoted, move({ resource: 'P' })))).toContain('cli-ban-P-on-n2');
    expect(constraintsOf(execute(promoted, move({ resource: 'P', promoted: true })))).toContain('role="Promoted" node="n2"');
  });

  it('to where it is already is refused', () => {
    expect(refusal(move({ node: 'n1' }), execute(of(), started('db')))).toMatch(/^409 already-there \/node/);
    expect(refusal(move({ node: 'n1' }), execute(of(), started('db'), started('db', 'n1', 'stop')))).toBe('accepted');
  });

  it('of what stands in a clone moves the clone', () => {
    expect(constraintsOf(execute(of(), move({ resource: 'h1', node: 'n1' })))).toContain('id="cli-prefer-CG" rsc="CG"');
  });

  it('can end by itself', () => {
    expect(constraintsOf(execute(of(), move({ node: 'n2', lifetime: 'PT1H' })))).toContain('operation="lt" end="2026-11-24 14:04:40Z"');
    expect(refusal(move({ node: 'n2', lifetime: '1h' }), of())).toMatch(/^422 invalid-argument \/lifetime/);
  });

  it('is refused for what has no promoted role, and to no node', () => {
    expect(refusal(move({ node: 'n2', promoted: true }), of())).toMatch(/^422 invalid-argument \/promoted/);
    expect(refusal(move({ node: 'n9' }), of())).toBe('404 node-not-found /node: the cluster has no node n9');
  });

  it('is meant for the configuration, not for what agents report', () => {
    const state = execute(of(), started('db'));
    const expected = [{ version: state.configuredAt }];
    expect(decide(move({ node: 'n2' }), state, { expected }).ok).toBe(true);
    const other = execute(state, set('disable', 'G'));
    expect(decide(move({ node: 'n2' }), other, { expected })).toMatchObject({ rejection: { status: 412 } });
  });

  it('is refused while there is no cluster', () => {
    expect(refusal(move(), initialState())).toMatch(/^404 cluster-not-found/);
  });
});

describe('clearing', () => {
  const ban = (node: string, more: Partial<MoveResource> = {}): ClusterCommand => ({ ...move(more), type: 'ban-resource', node });
  const state = execute(of(), ban('n1'), ban('n2', { lifetime: 'PT1H' }), move({ node: 'n3' }));
  const clear = (more: Record<string, unknown> = {}): ClusterCommand => ({ type: 'clear-resource', resource: 'db', now: NOW, ...more });
  it('removes all that moves and bans left, or what names a node, or what has ended', () => {
    expect(constraintsOf(execute(state, clear()))).toBe('');
    expect(constraintsOf(execute(state, clear({ node: 'n1' })))).not.toContain('on-n1');
    expect(constraintsOf(execute(state, clear({ node: 'n1' })))).toMatch(/on-n2.*cli-prefer-db/);
    expect(decide(clear({ expired: true }), state)).toMatchObject({ events: [] });
    expect(constraintsOf(execute(state, clear({ expired: true, now: NOW + 3_600 })))).not.toContain('on-n2');
    expect(decide(clear(), of())).toMatchObject({ ok: true, events: [] });
  });

  it('removes what is of the promoted role only, where there is one, as it was written by whichever tool', () => {
    const left =
      '<rsc_location id="cli-ban-P-on-n1" rsc="P" role="Promoted" node="n1" score="-INFINITY"/>' +
      '<rsc_location id="cli-ban-P-on-n2" rsc="P" role="Started" node="n2" score="-INFINITY"/>' +
      '<rsc_location id="cli-ban-P-on-n3" rsc="P" node="n3" score="-INFINITY"/>' +
      '<rsc_location id="cli-prefer-P" rsc="P"><rule id="r" role="Master" score="INFINITY"><expression id="e" attribute="#uname" operation="eq" value="n2"/></rule></rsc_location>';
    const both = of(RESOURCES, left);
    const ofP = (more: Record<string, unknown>): ClusterCommand => clear({ resource: 'P', promoted: true, ...more });
    expect(constraintsOf(execute(both, ofP({})))).toMatch(/on-n2.*on-n3/);
    expect(constraintsOf(execute(both, ofP({})))).not.toMatch(/on-n1|cli-prefer/);
    expect(constraintsOf(execute(both, ofP({ node: 'n2' })))).toMatch(/on-n1.*on-n2.*on-n3/);
    expect(constraintsOf(execute(both, ofP({ node: 'n2' })))).not.toContain('cli-prefer');
    expect(decide(ofP({}), both)).toMatchObject({ events: [{ data: { arguments: { resource: 'P', promoted: true } } }] });
    expect(decide(clear({ promoted: true }), both)).toMatchObject({ ok: false, rejection: { pointer: '/promoted' } });
  });

  it('leaves those of others alone, and finds what was left for the pattern of a clone', () => {
    const others =
      '<rsc_location id="mine" rsc="db" node="n1" score="1"/><rsc_location id="cli-ban-c1-on-n1" rsc="c1" node="n1" score="-INFINITY"/>';
    const foreign = of(RESOURCES, others);
    expect(decide(clear(), foreign)).toMatchObject({ events: [] });
    expect(constraintsOf(execute(foreign, clear({ resource: 'c1' })))).toBe('<rsc_location id="mine" rsc="db" node="n1" score="1"/>');
  });

  it('of a node that nobody knows is refused', () => {
    expect(refusal(clear({ node: 'n9' }), state)).toMatch(/^404 node-not-found/);
  });
});
