import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NOT_DONE, notDoneOption, notDonePage } from './not-done.js';

const PAGE = fileURLToPath(new URL('../../../../docs/guide/not-done.md', import.meta.url));

describe('what is accepted and not done', () => {
  it('is one list, which the page of the documentation shows', async () => {
    expect(new Set(NOT_DONE.map(({ what }) => what)).size).toBe(NOT_DONE.length);
    await expect(notDonePage()).toMatchFileSnapshot(PAGE);
  });

  it('are options that ask for more than what happens anyway', () => {
    expect(notDoneOption('enable-acl', 'true')).toMatch(/tokens/);
    for (const [name, value] of [
      ['enable-acl', 'false'],
      ['enable-acl', 'no'],
      ['shutdown-escalation', '1200s'],
      ['dc-version', '3.0.1'],
      ['last-lrm-refresh', '1700000000'],
      ['no-quorum-policy', 'freeze'],
      ['stonith-watchdog-timeout', '0'],
      ['hana_glob', 'x'],
    ] as const)
      expect([name, value, notDoneOption(name, value)]).toEqual([name, value, undefined]);
    expect(notDoneOption('load-threshold', '60%')).toMatch(/load/);
  });
});
