import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { permissionFor, PERMISSIONS } from './permissions.js';
import { permissionsPage } from './permissions-page.js';

const PAGE = fileURLToPath(new URL('../../../../docs/guide/permissions.md', import.meta.url));

describe('who may do what', () => {
  it('is one table, which the page of the documentation shows', async () => {
    const operations = PERMISSIONS.flatMap((permission) => permission.operations);
    expect(new Set(operations).size).toBe(operations.length);
    await expect(permissionsPage()).toMatchFileSnapshot(PAGE);
  });

  it('leaves what it does not name to administrators of the server', () => {
    expect(permissionFor('somethingNew')).toMatchObject({ who: 'admin', reach: 'server' });
    expect(permissionFor('constructor')).toMatchObject({ who: 'admin', reach: 'server' });
    expect(permissionFor('getStatus')).toMatchObject({ who: 'viewer', reach: 'cluster' });
  });
});
