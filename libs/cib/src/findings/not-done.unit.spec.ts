import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { notDonePage } from './not-done.js';

const PAGE = fileURLToPath(new URL('../../../../docs/guide/not-done.md', import.meta.url));

it('has a page of the documentation for what is refused', async () => {
  await expect(notDonePage()).toMatchFileSnapshot(PAGE);
});
