import { meansActive as inSession, RC } from '@systole/node-session';
import { meansActive, OCF } from '@systole/ocf';
import { expect, it } from 'vitest';

it('the session judges by the return codes of resource agents as they are', () => {
  expect(OCF).toMatchObject(RC);
  for (let rc = -1; rc < 300; rc++) expect(inSession(rc), String(rc)).toBe(meansActive(rc));
});
