import { existsSync } from 'node:fs';
import type { AgentResult } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { agentUnderTest } from './testing/agent-under-test.js';

const under = agentUnderTest();
/** They dampen what they set by up to thirty seconds. */
const DAMPENED_MS = 90_000;

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

  it.runIf(installed)('HealthCPU, HealthIOWait and SysInfo tell how the node is', { timeout: 5 * DAMPENED_MS }, async () => {
    under.node.start();
    const red = { ...pacemaker('HealthCPU'), parameters: { red_limit: '101', yellow_limit: '102' } };
    const green = { ...pacemaker('HealthCPU'), parameters: { red_limit: '-2', yellow_limit: '-1' } };
    const valueOf = (name: string): string | null | undefined =>
      under.server.attributes.findLast((attribute) => attribute.name === name)?.value;
    for (const [parameters, health] of [
      [red, 'red'],
      [green, 'green'],
    ] as const) {
      expect((await under.run('r', 'start', parameters)).rc).toBe(0);
      expect((await under.run('r', 'monitor', parameters)).rc).toBe(0);
      await expect.poll(() => valueOf('#health-cpu'), { timeout: DAMPENED_MS }).toBe(health);
      expect((await under.run('r', 'stop', parameters)).rc).toBe(0);
    }
    for (const type of ['HealthIOWait', 'SysInfo']) {
      for (const name of ['start', 'monitor', 'stop'])
        expect([type, name, (await under.run('r', name, pacemaker(type))).rc]).toEqual([type, name, 0]);
    }
    await expect.poll(() => valueOf('#health-iowait'), { timeout: DAMPENED_MS }).toMatch(/^(green|yellow|red)$/);
    await expect.poll(() => valueOf('cpu_cores'), { timeout: DAMPENED_MS }).toMatch(/^\d+$/);
  });
});
