import { readEdits, serializeXml, type ElementEdit } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { append, execute, threeNodes } from '../testing/stream.js';
import type { Decision } from './decision.js';
import { decide } from './decide.js';

const WEB =
  '<primitive id="web" class="ocf" provider="heartbeat" type="Dummy"><operations><op id="m" name="monitor" interval="10s"/></operations></primitive>';
const cluster = threeNodes({ resources: WEB });
const create = (element: object): ElementEdit => ({
  edit: 'create',
  collection: 'resources',
  element: { element: 'primitive', ...element },
});
const edited = (state: ClusterState, ...edits: readonly ElementEdit[]): Decision =>
  decide({ type: 'edit-configuration', edits, reason: 'r' }, state);

function refusal(decision: Decision): readonly string[] {
  if (decision.ok) return ['accepted'];
  const { status, code, issues = [] } = decision.rejection;
  return [`${String(status)} ${code}`, ...issues.map(({ pointer, message }) => `${pointer ?? '?'} ${message}`)];
}

describe('edits of elements', () => {
  it('make one event, which names what was edited', () => {
    const decision = edited(
      cluster,
      create({ id: 'db', class: 'lsb', type: 'x' }),
      { edit: 'create', collection: 'constraints', element: { element: 'rsc_colocation', rsc: 'db', 'with-rsc': 'web', score: '5' } },
      { edit: 'patch', collection: 'resources', id: 'web', patch: { meta_attributes: { 'target-role': 'Stopped' } } },
    );
    expect(decision).toMatchObject({
      events: [
        {
          type: 'ConfigurationChanged',
          data: {
            command: 'edit-configuration',
            reason: 'r',
            arguments: {
              edits: [
                { edit: 'create', collection: 'resources', element: 'primitive', id: 'db' },
                { edit: 'create', collection: 'constraints', element: 'rsc_colocation' },
                { edit: 'patch', collection: 'resources', id: 'web' },
              ],
            },
            changes: [{ id: 'db' }, { kind: 'meta_attributes', id: 'web-meta_attributes' }, { id: 'colocation-db-web-5' }],
          },
        },
      ],
    });
    expect(JSON.stringify(decision)).not.toContain('"patch":{');
    expect(
      serializeXml(execute(cluster, { type: 'edit-configuration', edits: [create({ id: 'db', class: 'lsb', type: 'x' })] }).cib),
    ).toContain('id="db"');
  });

  it('that change nothing are no event', () => {
    expect(edited(cluster, { edit: 'patch', collection: 'resources', id: 'web', patch: {} })).toEqual({ ok: true, events: [] });
  });

  it('are refused with all findings of the whole, each at its place in the edits', () => {
    const told = refusal(
      edited(
        cluster,
        {
          edit: 'patch',
          collection: 'resources',
          id: 'web',
          patch: { operations: [{ name: 'monitor', interval: '3 parsecs', timeout: 'long' }] },
        },
        create({ id: 'm', class: 'lsb', type: 'x', meta_attributes: { 'is-managed': 'perhaps' } }),
        { edit: 'create', collection: 'constraints', element: { element: 'rsc_location', rsc: 'gone', node: 'n1', score: '1' } },
        {
          edit: 'create',
          collection: 'resources',
          element: { element: 'group', id: 'g', primitive: [{ id: 'web', class: 'lsb', type: 'x' }] },
        },
      ),
    );
    expect(told[0]).toBe('422 invalid-configuration');
    expect(told.slice(1).map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(['/edits/2/element/rsc', '/edits/3/element/primitive/0/id']),
    );
    const later = refusal(
      edited(
        cluster,
        create({
          id: 'x',
          class: 'lsb',
          type: 'x',
          operations: [{ name: 'monitor', interval: 'often' }],
          meta_attributes: { 'is-managed': 'perhaps' },
        }),
      ),
    );
    expect(later.slice(1).map((line) => line.split(' ')[0])).toEqual([
      '/edits/0/element/operations/0/interval',
      '/edits/0/element/meta_attributes/is-managed',
    ]);
  });

  it('are refused where nothing is, or others refer to', () => {
    expect(refusal(edited(cluster, { edit: 'delete', collection: 'tags', id: 'x' }))[0]).toBe('404 element-not-found');
    const tagged = execute(cluster, {
      type: 'edit-configuration',
      edits: [{ edit: 'create', collection: 'tags', element: { element: 'tag', id: 't', obj_ref: [{ id: 'web' }] } }],
    });
    expect(refusal(edited(tagged, { edit: 'delete', collection: 'resources', id: 'web' }))).toEqual([
      '409 element-in-use',
      '/edits/0/id <obj_ref> t refers to "web" (id): change that first, or delete with cascade',
      '/edits/0/id <tag> t would have nothing left in it without "web": change that first, or delete with cascade',
    ]);
    expect(edited(tagged, { edit: 'delete', collection: 'resources', id: 'web', cascade: true })).toMatchObject({
      events: [
        {
          data: {
            changes: [
              { kind: 'primitive', id: 'web' },
              { kind: 'tag', id: 't' },
            ],
          },
        },
      ],
    });
    expect(refusal(edited(cluster, { edit: 'delete', collection: 'nodes', id: 'n1' }))[0]).toBe('409 still-active');
  });

  it('are meant for the configuration that was read, whatever else happened since', () => {
    const edits = [create({ id: 'db', class: 'lsb', type: 'x' })];
    const at = (version: number): Decision => decide({ type: 'edit-configuration', edits }, cluster, { expected: [{ version }] });
    expect(cluster.configuredAt).toBeLessThan(cluster.version);
    expect(at(cluster.configuredAt).ok).toBe(true);
    const changed = execute(cluster, { type: 'edit-configuration', edits });
    const late = decide({ type: 'edit-configuration', edits }, changed, { expected: [{ version: cluster.version }] });
    expect(refusal(late)[0]).toBe('412 version-mismatch');
  });

  it('raise the version of the configuration by one, which no report moves', () => {
    const { version, configurationVersion, cib } = cluster;
    expect(configurationVersion).toBeLessThan(version);
    const edit = create({ id: 'db', class: 'lsb', type: 'x' });
    const changed = execute(cluster, { type: 'edit-configuration', edits: [edit] });
    expect(changed.configurationVersion).toBe(changed.version);
    expect(changed.cib.attributes).toMatchObject({
      epoch: String(Number(cib.attributes['epoch']) + 1),
      num_updates: '0',
      admin_epoch: '0',
    });
    const reported = append(changed, { type: 'NodeAttributeSet', data: { node: 'n1', name: 'pingd', value: '1', lifetime: 'reboot' } });
    expect(reported.version).toBeGreaterThan(changed.version);
    expect(reported.cib.attributes).toEqual(changed.cib.attributes);
    expect(reported.configurationVersion).toBe(changed.configurationVersion);
  });
});

it('edits that were read can be decided', () => {
  const reading = readEdits([create({ id: 'db', class: 'lsb', type: 'x' })], '/edits');
  expect(reading.ok && edited(cluster, ...reading.edits).ok).toBe(true);
});
