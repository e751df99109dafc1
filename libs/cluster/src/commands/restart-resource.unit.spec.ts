import { readingOf, serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { execute, threeNodes } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';
import { isStopped } from './decide-restart.js';

const NOW = 1_800_000_000;
const dummy = (id: string, within = ''): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${within}</primitive>`;
const meta = (id: string, value: string): string =>
  `<meta_attributes id="${id}-m"><nvpair id="${id}-m1" name="target-role" value="${value}"/></meta_attributes>`;
const result = (id: string, operation = 'start'): ClusterCommand => ({
  type: 'record-results',
  node: 'n1',
  incarnation: 1,
  results: [startedResult(id, { operation, resultId: `${operation}-${id}` })],
});
const begin = (resource: string, now = NOW): ClusterCommand => ({ type: 'begin-restart', resource, now, seconds: 60 });
const end = (resource: string): ClusterCommand => ({ type: 'end-restart', resource });
const roleAt = (state: ClusterState, id: string, seconds: number): string | undefined =>
  readingOf(state.cib, seconds * 1_000)
    .resource(id)
    ?.meta.get('target-role');

function refusal(command: ClusterCommand, state: ClusterState): string {
  const decision = decide(command, state);
  return decision.ok ? 'accepted' : `${decision.rejection.code}: ${decision.rejection.message}`;
}

describe('a restart', () => {
  const before = execute(threeNodes({ resources: dummy('db', meta('db', 'Started')) }), result('db'));

  it('stops a resource until it is ended, or for a time when nobody ends it', () => {
    const begun = execute(before, begin('db'));
    expect([roleAt(begun, 'db', NOW), roleAt(begun, 'db', NOW + 59), roleAt(begun, 'db', NOW + 60)]).toEqual([
      'Stopped',
      'Stopped',
      'Started',
    ]);
    expect(isStopped(begun, 'db')).toBe(false);
    const stopped = execute(begun, result('db', 'stop'));
    expect(isStopped(stopped, 'db')).toBe(true);
    const ended = execute(stopped, end('db'));
    const configuration = ({ cib }: ClusterState): string => serializeXml(configurationOf(cib));
    expect(configuration(ended)).toBe(configuration(before));
    expect(decide(end('db'), ended)).toMatchObject({ ok: true, events: [] });
  });

  it('takes the place of one that nobody ended', () => {
    const again = execute(before, begin('db'), begin('db', NOW + 100));
    expect([roleAt(again, 'db', NOW + 130), roleAt(again, 'db', NOW + 160)]).toEqual(['Stopped', 'Started']);
  });

  it('is of all of a group', () => {
    const group = execute(threeNodes({ resources: `<group id="G">${dummy('g1')}${dummy('g2')}</group>` }), result('g1'));
    const begun = execute(group, begin('G'));
    expect([roleAt(begun, 'g1', NOW), roleAt(begun, 'g2', NOW)]).toEqual(['Stopped', 'Stopped']);
  });

  it('is refused for what does not run, and for what would not stop', () => {
    expect(refusal(begin('db'), threeNodes({ resources: dummy('db') }))).toMatch(/^place-not-clear: db is active nowhere/);
    expect(refusal(begin('dbb'), before)).toMatch(/^resource-not-found/);
    const unmanaged = execute(before, { type: 'set-resource-mode', resource: 'db', mode: 'unmanage' });
    expect(refusal(begin('db'), unmanaged)).toMatch(/^attribute-overridden: db would not stop/);
    const own = execute(threeNodes({ resources: `<group id="G">${dummy('g1', meta('g1', 'Started'))}</group>` }), result('g1'));
    expect(refusal(begin('G'), own)).toMatch(/^attribute-overridden: g1 would not stop/);
    expect(refusal(begin('db'), execute(before, { type: 'set-cluster-maintenance', maintenance: true }))).toMatch(/^attribute-overridden/);
  });
});
