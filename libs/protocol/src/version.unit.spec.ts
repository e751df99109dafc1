import { describe, expect, it } from 'vitest';
import { PROTOCOL, refusalOf, spokenVersion } from './index.js';

describe('a server', () => {
  const server = { major: 2, minor: 5 };
  const oldest = 4;

  it.each([
    [{ major: 2, minor: 5 }, undefined],
    [{ major: 2, minor: 4 }, undefined],
    [{ major: 2, minor: 3 }, 'protocol-too-old'],
    [{ major: 1, minor: 9 }, 'protocol-too-old'],
    [{ major: 2, minor: 6 }, 'protocol-too-new'],
    [{ major: 3, minor: 0 }, 'protocol-too-new'],
  ])('of 2.5 and an agent of %j: %s', (agent, code) => {
    expect(refusalOf(agent, server, oldest)?.code).toBe(code);
  });

  it('takes an agent that does not say what it speaks for one of 1.0, which is too old by now', () => {
    expect(refusalOf(spokenVersion({ agentVersion: '0.1.0', bootId: 'b' }))?.code).toBe('protocol-too-old');
  });

  it.each([4, 5, 6, 7, 8])('works with agents of 1.%i', (minor) => {
    expect(refusalOf({ ...PROTOCOL, minor })).toBeUndefined();
  });

  it('knows what a newer agent speaks though it can not read the rest of its join', () => {
    const newer = { major: PROTOCOL.major, minor: PROTOCOL.minor + 1 };
    expect(refusalOf(spokenVersion({ protocol: newer, novelty: true }))).toEqual({
      code: 'protocol-too-new',
      detail: expect.stringContaining('update the server first') as string,
    });
  });
});
