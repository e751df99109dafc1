import { describe, expect, it } from 'vitest';
import { AGENT_WRITES, AGENT_WRITES_DEFAULT, mayWrite, parseAgentWrites } from './agent-writes.js';

const granted = (text: string, node: string): readonly string[] =>
  AGENT_WRITES.filter((write) => mayWrite(parseAgentWrites(text) ?? [], write, node));

describe('what agents may have written', () => {
  it.each([
    [AGENT_WRITES_DEFAULT, ['own', 'options'], ['own', 'options']],
    ['none', [], []],
    ['own, tickets configuration@n1', ['own', 'tickets', 'configuration'], ['own', 'tickets']],
    ['fencing@n2', [], ['fencing']],
  ])('%s', (text, n1, n2) => {
    expect([granted(text, 'n1'), granted(text, 'n2')]).toEqual([n1, n2]);
  });

  it.each(['', ' ', 'all', 'own none', 'own@', 'configuraton', '@n1', 'own,@'])('"%s" is no such list', (text) => {
    expect(parseAgentWrites(text)).toBeUndefined();
  });
});
