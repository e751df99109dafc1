import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import type { Decision } from '../commands/decision.js';
import { decide } from '../commands/decide.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import { epochVersion, readVersionText, unchangedSince, versionText, type EpochVersion } from './epoch-version.js';

const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
const WEB = '<primitive id="web" class="ocf" provider="systole" type="Dummy"/>';
const document = (resources: string): string =>
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes>' +
  `<resources>${resources}</resources><constraints/></configuration><status/></cib>`;
const put = (resources: string): ClusterCommand => ({ type: 'replace-configuration', cib: document(resources) });
const ID = '3f2a8b1c-0000-4000-8000-000000000000';
const begin = (epoch: string): ClusterCommand => ({ type: 'begin-epoch', clusterId: 'c', epoch, reason: 'restored', by: 'a person' });
const answer = (state: ClusterState, command: ClusterCommand, ...expected: readonly EpochVersion[]): number => {
  const decision: Decision = decide(command, state, { expected });
  return decision.ok ? 200 : decision.rejection.status;
};

describe('a version of a cluster', () => {
  const copy = threeNodes();
  const restored = execute(copy, begin(ID));
  const moved = execute(restored, put(DB), { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 });

  it('is named with the epoch of the log once a new one began, and read again as it was written', () => {
    expect(versionText(epochVersion(copy))).toBe(String(copy.version));
    expect(versionText(epochVersion(restored))).toBe(`${String(restored.version)}-3f2a8b1c`);
    for (const state of [copy, restored]) expect(readVersionText(versionText(epochVersion(state)))).toEqual(epochVersion(state));
    for (const text of ['', '0', '-1', 'x', '9-', '9-a-b', '9 -a', '99999999999999999999']) expect(readVersionText(text)).toBeUndefined();
  });

  it('of the log before its present epoch has no epoch: nothing may be changed for it', () => {
    expect(epochVersion(moved, copy.version)).toEqual({ version: copy.version });
    expect(epochVersion(moved, restored.version)).toEqual({ version: restored.version, epoch: '3f2a8b1c' });
  });

  it('of what has not changed since before that is one of the present epoch: what was read may be written', () => {
    expect(restored.configuredAt).toBeLessThan(restored.version);
    expect(unchangedSince(restored, restored.configuredAt)).toEqual({ version: restored.version, epoch: '3f2a8b1c' });
    expect(answer(restored, put(WEB), unchangedSince(restored, restored.configuredAt))).toBe(200);
    expect(unchangedSince(moved, moved.configuredAt)).toEqual(epochVersion(moved, moved.configuredAt));
    expect(unchangedSince(copy, copy.configuredAt)).toEqual({ version: copy.configuredAt });
    expect(answer(execute(restored, put(DB)), put(WEB), unchangedSince(restored, restored.configuredAt))).toBe(412);
  });

  it('of a lost tail holds for no configuration that was put since, whatever its number', () => {
    const read = { version: moved.version };
    expect(moved.configuredAt).toBeLessThan(read.version);
    expect(answer(moved, put(WEB), read)).toBe(412);
    expect(answer(moved, put(WEB), { ...read, epoch: 'another' })).toBe(412);
    expect(answer(moved, { type: 'delete-cluster' }, read)).toBe(412);
    expect(answer(moved, put(WEB), epochVersion(moved))).toBe(200);
    expect(answer(moved, put(WEB), epochVersion(moved, moved.configuredAt))).toBe(200);
    expect(answer(moved, put(WEB), read, epochVersion(moved))).toBe(200);
    expect(answer(moved, { type: 'delete-cluster' }, epochVersion(moved))).toBe(200);
    expect(answer(execute(moved, begin('e3')), put(WEB), epochVersion(moved))).toBe(412);
  });

  it('is refused with what it is now, and where to read on', () => {
    expect(decide(put(WEB), moved, { expected: [{ version: 9 }] })).toMatchObject({
      rejection: {
        code: 'version-mismatch',
        currentVersion: moved.version,
        currentEpoch: '3f2a8b1c',
        message: `the cluster is at version ${String(moved.version)}-3f2a8b1c. The event log went back in time at version ${String(restored.version)}, and 9 may be of what it lost: read it again`,
      },
    });
    expect(decide(put(WEB), copy, { expected: [{ version: 9, epoch: 'lost' }] })).toMatchObject({ rejection: { status: 412 } });
  });
});
