import { childrenNamed, element, firstChildNamed, parseXml, type XmlElement } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { Draft } from './draft.js';
import { OperationDigests } from './operation-digests.js';
import { type HistoryResource, recordResult, type SimulatedResult } from './history.js';

const db: HistoryResource = { configurationId: 'db', displayName: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' };
const result: SimulatedResult = {
  task: 'start',
  interval: 0,
  rc: 0,
  expectedRc: 0,
  exitReason: '',
  nodeName: 'n1',
  clock: 1_700_000_000,
  featureSet: '3.20.5',
};

function record(
  results: readonly Partial<SimulatedResult>[],
  resource = db,
  state = element('node_state', { id: '1', uname: 'n1' }),
): XmlElement {
  const draft = new Draft(state);
  for (const one of results) recordResult(draft, resource, { ...result, ...one });
  return draft.finish();
}

function histories(state: XmlElement): XmlElement[] {
  const lrm = firstChildNamed(state, 'lrm');
  const resources = lrm && firstChildNamed(lrm, 'lrm_resources');
  return resources ? childrenNamed(resources, 'lrm_resource') : [];
}

const entries = (state: XmlElement): XmlElement[] => histories(state).flatMap((history) => childrenNamed(history, 'lrm_rsc_op'));
const ids = (state: XmlElement): string[] => entries(state).map(({ attributes }) => attributes['id'] ?? '');

describe('recordResult', () => {
  it('makes a history with its agent and an entry that says all about the result', () => {
    const state = record([{ digest: 'abc' }]);
    expect(histories(state)[0]?.attributes).toEqual({ id: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' });
    const key = '1:-1:0:xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
    expect(entries(state)[0]?.attributes).toEqual({
      id: 'db_last_0',
      operation_key: 'db_start_0',
      operation: 'start',
      'crm-debug-origin': 'crm_simulate',
      crm_feature_set: '3.20.5',
      'transition-key': key,
      'transition-magic': `0:0;${key}`,
      'exit-reason': '',
      on_node: 'n1',
      'call-id': '1',
      'rc-code': '0',
      'op-status': '0',
      interval: '0',
      'last-rc-change': '1700000000',
      'exec-time': '0',
      'queue-time': '0',
      'op-digest': 'abc',
    });
  });

  it.each<[string, Partial<SimulatedResult>, string[]]>([
    ['a recurring operation', { task: 'monitor', interval: 10000 }, ['db_monitor_10000']],
    ['a probe', { task: 'monitor', rc: 7, expectedRc: 7 }, ['db_last_0']],
    ['a failure', { rc: 1 }, ['db_last_failure_0', 'db_last_0']],
    ['the failure of a recurring operation', { task: 'monitor', interval: 10000, rc: 7 }, ['db_last_failure_0']],
    ['a live migration', { task: 'migrate_to', migration: { source: 'n1', target: 'n2' } }, ['db_migrate_to_0']],
    ['a notification', { task: 'notify', notify: { type: 'pre', operation: 'stop' } }, ['db_pre_notify_stop_0']],
  ])('names the entry of %s', (_case, one, expected) => {
    expect(ids(record([one]))).toEqual(expected);
  });

  it('records a reload as the start that it stands for', () => {
    expect(entries(record([{ task: 'reload-agent' }]))[0]?.attributes).toMatchObject({ operation: 'start', operation_key: 'db_start_0' });
  });

  it('numbers calls per resource, and updates an entry where it is', () => {
    const state = record([{ task: 'monitor', rc: 7, expectedRc: 7 }, { task: 'monitor', interval: 10000 }, { task: 'stop' }]);
    expect(entries(state).map(({ attributes }) => [attributes['id'], attributes['operation'], attributes['call-id']])).toEqual([
      ['db_last_0', 'stop', '3'],
      ['db_monitor_10000', 'monitor', '2'],
    ]);
  });

  it('writes below the name that history knows, under the id of the configuration', () => {
    const known = parseXml(
      '<node_state id="1" uname="n1"><lrm id="1"><lrm_resources><lrm_resource id="db:0" class="ocf" provider="systole" type="Dummy"/></lrm_resources></lrm></node_state>',
    );
    const state = record([{}], { ...db, displayName: 'db:0' }, known);
    expect(histories(state).map(({ attributes }) => attributes['id'])).toEqual(['db:0']);
    expect(ids(state)).toEqual(['db_last_0']);
  });

  it('passes over a resource that history could not describe', () => {
    expect(entries(record([{}], { ...db, class: 'nagios' }))).toEqual([]);
    expect(entries(record([{}], { ...db, provider: undefined }))).toEqual([]);
  });
});

describe('OperationDigests', () => {
  it('leaves out meta-attributes and what every action has', () => {
    const digests = new OperationDigests();
    const plain = digests.of({ state: '/tmp/x' });
    expect(plain).toMatch(/^[0-9a-f]{32}$/);
    expect(digests.of({ CRM_meta_timeout: '20000', crm_feature_set: '3.20.5', state: '/tmp/x' })).toBe(plain);
    expect(digests.of({ state: '/tmp/y' })).not.toBe(plain);
  });
});
