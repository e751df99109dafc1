import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentsLab, isOn, placesOf, prefersAlpha } from './agents-lab.js';

const TOOLS = fileURLToPath(new URL('../../bin/tools', import.meta.url));
const ADMIN_TOKEN = 'an-admin-token-for-this-very-test';
const PATIENCE_MS = 30_000;

describe('tools that write, called by a resource agent and by an operator', () => {
  let lab: AgentsLab;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-asks-'));
    const asks = `<primitive id="asks" class="ocf" provider="test" type="Asks">
      <instance_attributes id="asks-p"><nvpair id="asks-p-directory" name="directory" value="${directory}"/></instance_attributes>
      <operations><op id="asks-monitor" name="monitor" interval="1s" timeout="20s"/></operations></primitive>`;
    lab = await AgentsLab.start({ resources: asks, constraints: prefersAlpha('asks'), fencing: false, leaseMs: 5_000 });
    await lab.settled('asks runs on alpha', isOn('asks', 'alpha'));
  }, 90_000);
  afterAll(async () => {
    await lab.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** What commands printed that the resource agent ran, and how the last one ended. */
  const ask = async (commands: string): Promise<string> => {
    const answer = join(directory, 'answer');
    await rm(answer, { force: true });
    await writeFile(join(directory, 'ask'), `${commands}\n`);
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      await sleep(100);
      const text = await readFile(answer, 'utf8').catch(() => undefined);
      if (text !== undefined) return text;
    }
    throw new Error(`nobody ran: ${commands}`);
  };

  /** The same by an operator's token, anywhere. */
  const operate = (tool: string, ...args: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        SYSTOLE_SERVER: lab.url,
        SYSTOLE_TOKEN: ADMIN_TOKEN,
        SYSTOLE_CLUSTER: lab.cluster.id,
        SYSTOLE_REASON: 'tuning',
      };
      execFile(join(TOOLS, tool), args, { env }, (error, stdout, stderr) => {
        resolve(`${stdout}${stderr}rc=${String(error === null ? 0 : (error.code ?? 'signal'))}\n`);
      });
    });

  const reasons = async (command: string): Promise<readonly (readonly [string, unknown])[]> => {
    const events = await lab.cluster.eventsAfter(0);
    return events.flatMap(({ event, actor }) =>
      event.type === 'ConfigurationChanged' && event.data.command === command ? [[actor, event.data.reason] as const] : [],
    );
  };

  it('keep an agent’s own state among the cluster options, and say who and why', async () => {
    expect(await ask('crm_attribute --type crm_config --name asks_REPL_INFO -s asks_replication --query -q')).toBe('alpha\nrc=0\n');
    expect(await reasons('set-section-value')).toEqual([['agent:alpha', 'crm_attribute on alpha, called by the agent of asks']]);
  });

  it('refuse an agent what its node is not granted, with Pacemaker’s exit code, and the way to grant it', async () => {
    const refused = [
      'crm_attribute --name stonith-enabled --update true',
      `cibadmin --modify --xml-text '<op id="asks-monitor" enabled="false"/>'`,
      'crm_attribute --type op_defaults --name timeout --update 20s',
      'stonith_admin --fence bravo',
      'crm_ticket -t T --grant --force',
      'crm_resource --ban -r asks -N bravo',
      'crm_node -R charlie --force',
    ];
    for (const command of refused) {
      const answer = await ask(command);
      expect(answer).toMatch(/Permission denied\n.*systole-agent-writes.*\nrc=4\n$/);
    }
    expect(await operate('crm_attribute', '-t', 'op_defaults', '-n', 'timeout', '-G')).toContain('rc=105');
  });

  it('do the same for an operator, who may; also grant a node more', async () => {
    expect(await operate('crm_attribute', '--type', 'op_defaults', '--name', 'timeout', '--update', '20s')).toBe('rc=0\n');
    expect(await operate('cibadmin', '--modify', '--xml-text', '<op id="asks-monitor" timeout="19s"/>')).toBe('rc=0\n');
    expect(await operate('cibadmin', '-Q', '--xpath', '//op_defaults//nvpair')).toContain('value="20s"');
    expect(await reasons('change-document')).toEqual([[expect.stringMatching(/^user:/), 'tuning (cibadmin)']]);
    expect(await operate('crm_attribute', '-n', 'systole-agent-writes', '-v', 'own options tickets@alpha')).toBe('rc=0\n');
    expect(await ask('crm_ticket -t T --grant --force; crm_ticket -t T -S owner -v me; crm_ticket -t T -G owner')).toBe('me\nrc=0\n');
    expect(await operate('crm_node', '-R', 'nobody', '--force')).toMatch(/No such object\n.*nobody.*\nrc=105\n$/);
    expect(await operate('crm_attribute', '-N', 'bravo', '-n', 'rack', '-v', 'r2')).toBe('rc=0\n');
    expect(await operate('crm_attribute', '-N', 'bravo', '-n', 'rack', '-G', '-q')).toBe('r2\nrc=0\n');
  });

  it('run a resource agent on the node where they are called, and nowhere else', async () => {
    expect(await ask('crm_resource -r asks --force-check')).toMatch(
      /^Operation force-check for asks \(ocf:test:Asks\) returned 0 \(ok\)\nrc=0\n$/,
    );
    expect(await operate('crm_resource', '-r', 'asks', '--force-check')).toMatch(/runs the resource agent where the tool runs.*\nrc=3\n$/s);
  });

  it('let an agent clean up and ban itself away from its node, and nobody else', async () => {
    expect(await ask('crm_resource --cleanup -r asks -N alpha; crm_failcount -D -r asks')).toBe(
      'Cleaned up asks on alpha\nCleaned up asks on alpha\nrc=0\n',
    );
    expect(await ask('crm_resource --ban -r asks')).toContain('rc=0');
    const view = await lab.settled('asks has left alpha', (now) => placesOf(now, 'asks').length === 1 && !isOn('asks', 'alpha')(now));
    expect(placesOf(view, 'asks')).toHaveLength(1);
    expect(await reasons('ban-resource')).toEqual([['agent:alpha', 'crm_resource on alpha, called by the agent of asks']]);
    expect(await operate('crm_resource', '--clear', '-r', 'asks')).toBe('Removing constraint: cli-ban-asks-on-alpha\nrc=0\n');
    await lab.settled('asks is on alpha again', isOn('asks', 'alpha'));
  });
});
