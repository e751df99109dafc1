import { readingOf, serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { startedResult } from '../testing/started.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';

const NOW = 1_800_000_000;
const primitive = (id: string, stickiness?: string): string => {
  const meta =
    stickiness === undefined
      ? ''
      : `<meta_attributes id="${id}-m"><nvpair id="${id}-s" name="resource-stickiness" value="${stickiness}"/></meta_attributes>`;
  return `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${meta}</primitive>`;
};
const result = (id: string): ClusterCommand => ({
  type: 'record-results',
  node: 'n1',
  incarnation: 1,
  results: [startedResult(id, { operation: 'start', resultId: `start-${id}` })],
});
const begin = (resource?: string): ClusterCommand => ({
  type: 'begin-relocation',
  ...(resource === undefined ? {} : { resource }),
  now: NOW,
  seconds: 60,
});
const stickiness = (state: ClusterState, id: string, seconds: number): string | undefined =>
  readingOf(state.cib, seconds * 1_000)
    .resource(id)
    ?.meta.get('resource-stickiness');
const configuration = ({ cib }: ClusterState): string => serializeXml(configurationOf(cib));

describe('a relocation', () => {
  const resources = primitive('db', '1000') + `<group id="g">${primitive('a')}${primitive('b', '5')}</group>`;
  const before = execute(threeNodes({ resources, options: option('stonith-enabled', 'false') }), result('db'));

  it('lets stickiness count for nothing, until it is ended or for a time', () => {
    const begun = execute(before, begin('db'));
    expect([stickiness(begun, 'db', NOW), stickiness(begun, 'db', NOW + 59), stickiness(begun, 'db', NOW + 60)]).toEqual([
      '0',
      '0',
      '1000',
    ]);
    const ended = execute(begun, { type: 'end-relocation', resource: 'db' });
    expect(configuration(ended)).toBe(configuration(before));
    expect(decide({ type: 'end-relocation', resource: 'db' }, ended)).toEqual({ ok: true, events: [] });
    expect(decide({ type: 'end-relocation', resource: 'gone' }, ended)).toEqual({ ok: true, events: [] });
  });

  it('reaches every part, or all resources, also a second time', () => {
    const begun = execute(before, begin('g'));
    expect(['db', 'a', 'b'].map((id) => stickiness(begun, id, NOW))).toEqual(['1000', '0', '0']);
    const all = execute(begun, begin());
    expect(['db', 'a', 'b'].map((id) => stickiness(all, id, NOW))).toEqual(['0', '0', '0']);
    expect(configuration(execute(all, { type: 'end-relocation' }))).toBe(configuration(before));
  });

  it('says what would not come of it', () => {
    expect(decide(begin('bd'), before)).toMatchObject({
      rejection: { code: 'resource-not-found', message: expect.stringContaining('db') as string },
    });
  });
});
