import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NOT_DONE, notDonePage } from './not-done.js';

const PAGE = fileURLToPath(new URL('../../../../docs/guide/not-done.md', import.meta.url));

describe('what is accepted and not done', () => {
  it('is one list, which the page of the documentation shows', async () => {
    expect(new Set(NOT_DONE.map(({ what }) => what)).size).toBe(NOT_DONE.length);
    await expect(notDonePage()).toMatchFileSnapshot(PAGE);
  });
});
