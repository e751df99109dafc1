import { existsSync } from 'node:fs';
import type { AgentResult } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { agentUnderTest } from './testing/agent-under-test.js';

const under = agentUnderTest();

describe("Debian's resource agents", () => {
  const pacemaker = (type: string): { resource: AgentResult['resource'] } => ({
    resource: { id: 'r', historyId: 'r', class: 'ocf', provider: 'pacemaker', type },
  });
  const installed = existsSync('/usr/lib/ocf/resource.d/pacemaker/Stateful');

  it.runIf(installed)('ocf:pacemaker:Stateful changes its role and its promotion score', async () => {
    under.node.start();
    const codes: number[] = [];
    for (const name of ['monitor', 'start', 'promote', 'monitor', 'demote', 'monitor', 'stop', 'monitor']) {
      codes.push((await under.run('r', name, pacemaker('Stateful'))).rc);
    }
    expect(codes).toEqual([7, 0, 0, 8, 0, 0, 0, 7]);
    // It repeats its score with every monitor.
    const scores = under.server.attributes.map(({ name, value }) => `${name}=${value ?? 'none'}`);
    expect(scores.filter((score, index) => score !== scores[index - 1])).toEqual([
      'master-r=5',
      'master-r=10',
      'master-r=5',
      'master-r=none',
    ]);
  });

  it.runIf(installed)('ocf:pacemaker:attribute sets a node attribute and reads it back', async () => {
    under.node.start();
    const attribute = { ...pacemaker('attribute'), parameters: { name: 'zone', active_value: 'east', inactive_value: 'none' } };
    const codes: number[] = [];
    for (const name of ['monitor', 'start', 'monitor', 'stop']) codes.push((await under.run('r', name, attribute)).rc);
    expect(codes).toEqual([7, 0, 0, 0]);
    expect(under.server.attributes).toEqual([
      { name: 'zone', value: 'east', lifetime: 'reboot' },
      { name: 'zone', value: 'none', lifetime: 'reboot' },
    ]);
  });
});
