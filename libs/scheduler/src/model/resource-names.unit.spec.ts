import { element } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { CandidateTable } from './candidates.js';
import { ResourceRecord } from './resource/record.js';
import type { Resource, ResourceKind } from './resource.js';
import { ResourceNames } from './resource-names.js';
import { setHistoryName } from '../input/status/history-name.js';

describe('the names of resources', () => {
  const roots: Resource[] = [];
  const names = new ResourceNames(() => roots);
  const add = (id: string, kind: ResourceKind, parent?: ResourceRecord): ResourceRecord => {
    const resource = new ResourceRecord(id, id, kind, element(kind), new CandidateTable());
    resource.parent = parent;
    parent?.children.push(resource);
    if (!parent) roots.push(resource);
    names.add(id, resource);
    return resource;
  };
  const ids = (resources: readonly Resource[]): string[] => resources.map(({ id }) => id);

  const clone = add('c', 'clone');
  const [first, second, third] = ['r:0', 'r:1', 'r:2'].map((id) => add(id, 'primitive', clone));
  const other = add('r:1', 'primitive');
  clone.topLevel = true;

  it('find what is in the tree, and nothing else', () => {
    expect(names.first('r:1')).toBe(second);
    expect(names.all('r:1')).toEqual([second]);
    expect(names.has('x')).toBe(false);
    expect(names.first('x')).toBeUndefined();
  });

  it('tell in the order of the tree who has one name, in whatever order they got it', () => {
    other.topLevel = true;
    for (const resource of [third, first, second]) if (resource) setHistoryName(names, resource, 'r');
    expect(names.first('r')).toBe(first);
    expect(ids(names.all('r'))).toEqual(['r:0', 'r:1', 'r:2']);
    expect(names.all('r:1')).toEqual([second, other]);
    clone.children.reverse();
    expect(names.first('r')).toBe(third);
    roots.reverse();
    expect(names.first('r:1')).toBe(other);
  });

  it('forget a name that history gave, but no id', () => {
    if (third) setHistoryName(names, third, undefined);
    expect(names.first('r')).toBe(second);
    expect(names.first('r:2')).toBe(third);
    for (const resource of [first, second]) if (resource) setHistoryName(names, resource, undefined);
    expect(names.has('r')).toBe(false);
    expect(names.first('r')).toBeUndefined();
  });
});
