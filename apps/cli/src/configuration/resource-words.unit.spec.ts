import { describe, expect, it } from 'vitest';
import { agentAttributes, readResourceWords } from './resource-words.js';

describe('the words after a resource', () => {
  it('are read as pcs and crmsh have them', () => {
    const words = 'ip=192.0.2.1 op monitor interval=10s timeout=20s start timeout=60s meta priority=5 utilization cpu=2 group site';
    expect(readResourceWords(words.split(' '))).toEqual({
      parameters: ['ip=192.0.2.1'],
      operations: [
        { name: 'monitor', values: ['interval=10s', 'timeout=20s'] },
        { name: 'start', values: ['timeout=60s'] },
      ],
      meta: ['priority=5'],
      utilization: ['cpu=2'],
      within: { kind: 'group', id: 'site' },
    });
    expect(readResourceWords(['promotable', 'notify=true']).within).toEqual({ kind: 'promotable', id: undefined, meta: ['notify=true'] });
    expect(readResourceWords(['clone', 'all', 'meta', 'interleave=true']).within).toEqual({
      kind: 'clone',
      id: 'all',
      meta: ['interleave=true'],
    });
  });

  it.each([['op'], ['op', 'interval=10s'], ['group'], ['group', 'a', 'b'], ['clone', 'group', 'g']])(
    'say what does not fit: %s %s %s',
    (...words) => {
      expect(() => readResourceWords(words)).toThrow(/op|group|clone/);
    },
  );

  it('name an agent', () => {
    expect(agentAttributes('ocf:heartbeat:pgsql')).toEqual({ class: 'ocf', provider: 'heartbeat', type: 'pgsql' });
    expect(agentAttributes('systemd:getty@tty1')).toEqual({ class: 'systemd', type: 'getty@tty1' });
    expect(agentAttributes('@base')).toEqual({ template: 'base' });
    for (const wrong of ['pgsql', 'ocf:pgsql', 'ocf::pgsql', '@', '', ':']) expect(() => agentAttributes(wrong)).toThrow(/is no agent/);
  });
});
