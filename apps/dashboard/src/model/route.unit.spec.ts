import { describe, expect, it } from 'vitest';
import { linkTo, routeOf } from './route.js';

describe('routeOf', () => {
  it('reads back every link', () => {
    for (const cluster of ['demo', 'a.b_c-1', 'with/slash', 'ümlaut %41']) {
      expect(routeOf(linkTo({ page: 'cluster', cluster }))).toEqual({ page: 'cluster', cluster });
      const resource = { page: 'resource', cluster, resource: 'web:0' } as const;
      expect(routeOf(linkTo(resource))).toEqual(resource);
    }
    expect(routeOf(linkTo({ page: 'clusters' }))).toEqual({ page: 'clusters' });
  });

  it('shows the list for an address that it does not know', () => {
    for (const hash of ['', '#', '#/clusters/', '#/clusters/a/b', '#/clusters/%E0%A4%A']) expect(routeOf(hash).page).toBe('clusters');
  });
});
