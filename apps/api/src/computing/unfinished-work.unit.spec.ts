import { parseXml } from '@systole/cib';
import { expect, it } from 'vitest';
import { UnfinishedWork } from './unfinished-work.js';

it('lets what ran for long without an end rest for as long, and nothing else', () => {
  let now = 1_000;
  const unfinished = new UnfinishedWork(60_000, () => now);
  const tree = parseXml('<cib/>');
  const work = { owner: 'viewer', what: 'explain', tree };
  unfinished.add(work, 9_000);
  expect(unfinished.restMs(work)).toBe(0);
  unfinished.add(work, 60_000);
  expect(unfinished.restMs(work)).toBe(60_000);
  expect(unfinished.restMs({ ...work, owner: 'another' })).toBe(0);
  expect(unfinished.restMs({ ...work, what: 'loss' })).toBe(0);
  expect(unfinished.restMs({ ...work, tree: parseXml('<cib/>') })).toBe(0);
  now += 45_000;
  unfinished.add({ ...work, what: 'loss' }, 20_000);
  expect(unfinished.restMs(work)).toBe(15_000);
  expect(unfinished.restMs({ ...work, what: 'loss' })).toBe(20_000);
  now += 15_000;
  expect(unfinished.restMs(work)).toBe(0);
});
