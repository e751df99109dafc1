import { describe, expect, it } from 'vitest';
import { TestNode, until } from './testing/agent-process.js';
import { agentUnderTest } from './testing/agent-under-test.js';
import { ScriptedServer } from './testing/scripted-server.js';

describe('several servers', () => {
  const under = agentUnderTest(3_000);

  it('are tried in turn: one that hangs or is gone costs no lease', async () => {
    const other = await ScriptedServer.start({ leaseMs: 10_000 });
    const twice = new TestNode([under.server.url, other.url]);
    try {
      const agent = twice.start();
      await until(() => under.server.incarnation === 1, 'it has joined at the first');
      other.incarnation = 1;
      under.server.hangs = true;
      await until(() => other.polls.length > 0, 'it polls the second');
      expect(agent.log).not.toContain('can not be renewed in time');
      const before = other.polls.length;
      await until(() => other.polls.length > before + 1, 'it stays with the one that answers');
      expect(other.incarnation).toBe(1);
    } finally {
      await twice.destroy();
      await other.stop();
    }
  });
});

describe('a server that answers nonsense', () => {
  const under = agentUnderTest();

  it.each([
    ['no JSON', '<html>', 200],
    ['a list', '[]', 200],
    ['the wrong types', '{"leaseMs":"x","actions":{},"incarnation":-1}', 200],
    ['a strange refusal', '{"type":["a"]}', 418],
    ['nothing', '', 200],
  ])('(%s) ends no agent: it goes on when there is sense again', async (_, body, status) => {
    const agent = under.node.start();
    await under.run('one', 'start');
    under.server.nonsense = { body, status };
    await new Promise((resolve) => setTimeout(resolve, 700));
    under.server.nonsense = undefined;
    await under.run('two', 'start');
    expect(under.isRunning('one')).toBe(true);
    expect(agent.log).not.toContain('systole-agent ends');
  });
});
