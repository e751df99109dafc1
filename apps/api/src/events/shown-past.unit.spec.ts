import { describe, expect, it } from 'vitest';
import { isShownTo } from './shown-past.js';

const [gone, present] = [
  { id: 'c-1', name: 'west', deleted: true },
  { id: 'c-2', name: 'west', deleted: false },
];
const byName = { role: 'admin', clusters: ['west'], clusterNames: ['west'] } as const;
const of = (streamId: string, type = 'NodeJoined') => ({ streamId, type });

describe('who is shown an event', () => {
  it('is whoever its cluster is for', () => {
    expect(isShownTo(byName, of('c-2'), present)).toBe(true);
    expect(isShownTo({ role: 'viewer', clusters: ['c-2'] }, of('c-2'), present)).toBe(true);
    expect(isShownTo({ role: 'admin', clusters: ['c-3'] }, of('c-2'), present)).toBe(false);
    expect(isShownTo({ role: 'admin', clusters: ['c-3'], clusterNames: ['west'] }, of('c-9'), undefined)).toBe(false);
  });

  it('is nobody by the name of a cluster that was deleted, but that it is over', () => {
    expect(isShownTo(byName, of('c-1'), gone)).toBe(false);
    expect(isShownTo(byName, of('c-1', 'ClusterDeleted'), gone)).toBe(true);
    expect(isShownTo({ ...byName, clusters: ['c-1'], clusterNames: ['c-1'] }, of('c-1'), gone)).toBe(true);
    expect(isShownTo({ role: 'admin' }, of('c-1'), gone)).toBe(true);
    expect(isShownTo({ role: 'operator' }, of('c-1'), gone)).toBe(false);
    expect(isShownTo({ role: 'operator' }, of('c-1', 'ClusterDeleted'), gone)).toBe(true);
  });
});
