import { describe, expect, it } from 'vitest';
import { masked } from './masked.js';

describe('what an agent prints', () => {
  it('is told without the secrets that it was given', () => {
    expect(masked('login with geheim failed: geheim', ['geheim'])).toBe('login with ******** failed: ********');
    expect(masked('a.b(c', ['.b('])).toBe('a********c');
    expect(masked('nothing', ['geheim', ''])).toBe('nothing');
  });

  it('is told without longer secrets that hold shorter ones', () => {
    expect(masked('geheimnis', ['geheim', 'geheimnis'])).toBe('********');
  });

  it('is told without each line of a secret', () => {
    expect(masked('key: BEGINKEY, then ENDOFKEY', ['BEGINKEY\nENDOFKEY'])).toBe('key: ********, then ********');
  });

  it('is told without what a cut has left of one', () => {
    expect(masked('eimnis: wrong', ['geheimnis'])).toBe('********: wrong');
    expect(masked('wrong: gehei', ['geheimnis'])).toBe('wrong: ********');
  });
});
