import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '@systole/protocol';
import { PrivateAttributes, PrivateAttributesFull } from './private-attributes.js';

let directory = '';
let file = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-private-'));
  file = join(directory, 'private');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('private attributes', () => {
  it('are there for the next process of the same boot, readable by nobody else, and for no other boot', async () => {
    const first = await PrivateAttributes.open(file, 'boot');
    await Promise.all(Array.from({ length: 50 }, (_, index) => first.set(`x${String(index)}`, `${String(index)}\n"`)));
    await first.set('x3', undefined);
    await first.set('__proto__', 'odd');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const second = await PrivateAttributes.open(file, 'boot');
    expect(second.get('x49')).toBe('49\n"');
    expect(second.get('x3')).toBeUndefined();
    expect(second.get('__proto__')).toBe('odd');
    expect(second.names).toEqual(first.names);
    expect((await PrivateAttributes.open(file, 'next boot')).names).toEqual([]);
  });

  it('are so many and so large at most that one request carries all of them', async () => {
    const found = await PrivateAttributes.open(file, 'boot');
    for (let index = 0; index < LIMITS.privateAttributes; index += 1) await found.set(`x${String(index)}`, '');
    await expect(found.set('one more', '')).rejects.toThrow(PrivateAttributesFull);
    await found.set('x0', 'changed');
    await expect(found.set('x'.repeat(LIMITS.attributeNameChars + 1), '')).rejects.toThrow('is not set');
    await expect(found.set('x1', 'y'.repeat(LIMITS.valueChars + 1))).rejects.toThrow('is not set');
    for (let index = 0; index < 7; index += 1) await found.set(`x${String(index)}`, 'y'.repeat(LIMITS.valueChars));
    await expect(found.set('x7', 'y'.repeat(LIMITS.valueChars))).rejects.toThrow('delete those that nobody needs');
    expect(found.get('x7')).toBe('');
  });

  it.each(['', '{', 'null', '{"bootId":"boot","attributes":[1,["a"],["b",2],null]}'])('are none where the file is %j', async (text) => {
    await writeFile(file, text);
    const found = await PrivateAttributes.open(file, 'boot');
    expect(found.names).toEqual([]);
    await found.set('a', '1');
    expect(await readFile(file, 'utf8')).toContain('"a"');
  });
});
