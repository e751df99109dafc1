import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { inheritableEnvironment } from '../resource-agent/environment.js';
import { executeOperation } from '../resource-agent/execute.js';
import type { AgentHost } from '../resource-agent/host.js';
import { fence, type FenceRequest } from './execute.js';

let directory: string;
let host: AgentHost;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-fence-'));
  host = {
    directories: { ocfRoots: [], lsb: directory, fence: [directory] },
    environment: { inherited: inheritableEnvironment(process.env), resourceTmp: directory, varRun: directory },
    killGraceMs: 300,
  };
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

interface Agent {
  readonly parameters?: readonly string[];
  readonly actions?: readonly string[];
  /** Shell, by action; `$plug` and `$port` are what was given. */
  readonly does?: Readonly<Record<string, string>>;
}

/** A fence agent that writes down what it is told, one line a call. */
function install(agent: Agent): void {
  const { parameters = ['plug', 'port'], actions = ['off', 'on', 'reboot', 'status', 'list', 'monitor'], does = {} } = agent;
  const metadata =
    `<resource-agent name="fence_x"><parameters>${parameters.map((name) => `<parameter name="${name}"><content type="string"/></parameter>`).join('')}</parameters>` +
    `<actions>${actions.map((name) => `<action name="${name}"/>`).join('')}</actions></resource-agent>`;
  const cases = Object.entries(does).map(([action, script]) => `${action}) ${script} ;;`);
  const text = `#!/bin/sh
while IFS= read -r line; do case "$line" in action=*) action="\${line#*=}" ;; plug=*) plug="\${line#*=}" ;; port=*) port="\${line#*=}" ;; esac; done
echo "$action plug=$plug port=$port" >>'${join(directory, 'calls')}'
case "$action" in
${cases.join('\n')}
metadata) echo '${metadata}' ;;
esac
`;
  writeFileSync(join(directory, 'fence_x'), text, { mode: 0o755 });
}

const calls = (): readonly string[] => {
  const lines = readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n');
  rmSync(join(directory, 'calls'));
  appendFileSync(join(directory, 'calls'), '');
  return lines;
};

const question = (action: string): { readonly action: string; readonly timeoutMs: number; readonly tries: number } => ({
  action,
  timeoutMs: 5_000,
  tries: 2,
});
const check = (how: 'auto' | 'dynamic-list' | 'status'): Pick<FenceRequest, 'check'> => ({
  check: { how, list: question('list'), status: question('status') },
});

function shoot(more: Partial<FenceRequest> = {}): Promise<OperationOutcome> {
  const parameters = { nodename: 'n3', port: 'n3' };
  return fence({ ...{ agent: 'fence_x', action: 'off', target: 'n3', timeoutMs: 10_000 }, parameters, ...more }, host);
}

describe('the parameter that names what is fenced', () => {
  it.each([
    [['plug', 'port'], 'off plug=n3 port='],
    [['plug'], 'off plug=n3 port='],
    [['port'], 'off plug= port=n3'],
    [[], 'off plug= port=n3'],
  ])('is plug where the agent has it, else port: with %j %s', async (parameters, told) => {
    install({ parameters });
    expect(await shoot({ argumentByAgent: true })).toMatchObject({ status: 'done', rc: 0 });
    expect(calls()).toEqual(['metadata plug= port=', told]);
  });

  it('is what the server says otherwise', async () => {
    install({});
    await shoot();
    expect(calls()).toEqual(['off plug= port=n3']);
  });
});

describe('the meta-data of a fence agent', () => {
  it('is read once, whatever environment its runs have', async () => {
    install({});
    await shoot({ argumentByAgent: true });
    host = { ...host, environment: { ...host.environment, extra: { A: 'b' } } };
    await shoot({ argumentByAgent: true });
    expect(calls().filter((call) => call.startsWith('metadata'))).toHaveLength(1);
  });

  it('takes of the time of the fencing, and where it takes all of it nobody is fenced: not when the server has given it up', async () => {
    install({ does: { metadata: 'exec sleep 20' } });
    const begun = performance.now();
    for (const request of [{ argumentByAgent: true }, { action: 'reboot' }]) {
      expect(await shoot({ ...request, timeoutMs: 1_000 })).toMatchObject({ status: 'timeout', rc: 1 });
    }
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(calls()).toEqual(['metadata plug= port=', 'metadata plug= port=']);
  });

  it('is read again when the program was replaced', async () => {
    install({ parameters: ['port'] });
    await shoot({ argumentByAgent: true });
    calls();
    install({ parameters: ['plug', 'port', 'more'] });
    await shoot({ argumentByAgent: true });
    expect(calls()).toEqual(['metadata plug= port=', 'off plug=n3 port=']);
  });

  it('is read again when it could not be read', async () => {
    install({
      does: {
        metadata: `[ -e '${join(directory, 'well')}' ] && echo '<resource-agent name="x"><parameters><parameter name="plug"/></parameters></resource-agent>' || exit 1`,
      },
    });
    await shoot({ argumentByAgent: true });
    writeFileSync(join(directory, 'well'), '');
    await shoot({ argumentByAgent: true });
    await shoot({ argumentByAgent: true });
    expect(calls()).toEqual([
      'metadata plug= port=',
      'off plug= port=n3',
      'metadata plug= port=',
      'off plug=n3 port=',
      'off plug=n3 port=',
    ]);
  });
});

describe('a device that is asked whom it can fence', () => {
  it('by its list fences who is there, and nobody else', async () => {
    install({ does: { list: 'printf "1,N3\\n2,n4\\n"' } });
    expect(await shoot(check('dynamic-list'))).toMatchObject({ status: 'done', rc: 0 });
    expect(calls()).toEqual(['list plug= port=', 'off plug= port=n3']);
    expect(await shoot({ ...check('dynamic-list'), target: 'n5', parameters: { nodename: 'n5', port: 'n5' } })).toMatchObject({
      status: 'not-supported',
      exitReason: expect.stringContaining('fence_x can not fence n5') as string,
    });
    expect(calls()).toEqual(['list plug= port=']);
  });

  it('is asked for its list once a minute, and again for one who is not in it', async () => {
    const list = join(directory, 'list');
    writeFileSync(list, 'n3\n');
    install({ does: { list: `cat '${list}'` } });
    await shoot(check('dynamic-list'));
    await shoot(check('dynamic-list'));
    expect(calls().filter((call) => call.startsWith('list'))).toHaveLength(1);
    writeFileSync(list, 'n5\n');
    expect(await shoot({ ...check('dynamic-list'), target: 'n5', parameters: { nodename: 'n5', port: 'n5' } })).toMatchObject({ rc: 0 });
  });

  it('is told nothing when its list can not be had: what it would switch off nobody knows', async () => {
    install({ does: { list: 'echo "no route to 10.0.0.9" >&2; exit 1' } });
    expect(await shoot(check('dynamic-list'))).toMatchObject({
      status: 'not-supported',
      exitReason: expect.stringContaining('no route to 10.0.0.9') as string,
    });
    expect(calls()).toEqual(['list plug= port=', 'list plug= port=']);
  });

  it('is not unable because it was called off', async () => {
    install({ does: { list: 'sleep 30' } });
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 300);
    const order = { agent: 'fence_x', action: 'off', target: 'n3', timeoutMs: 10_000, parameters: { nodename: 'n3' } };
    expect(await fence({ ...order, ...check('dynamic-list') }, host, { abort: controller.signal })).toMatchObject({ status: 'cancelled' });
    expect(calls()).toEqual(['list plug= port=']);
  });

  it('does not take longer with that than it may altogether', async () => {
    install({ does: { list: 'sleep 30' } });
    const begin = performance.now();
    expect(await shoot({ ...check('dynamic-list'), timeoutMs: 1_000 })).toMatchObject({ status: 'not-supported' });
    expect(performance.now() - begin).toBeLessThan(15_000);
  });

  it.each([
    [0, 'done'],
    [2, 'done'],
    [1, 'not-supported'],
  ])('by the status: exit code %i is %s', async (code, status) => {
    install({ does: { status: `exit ${String(code)}` } });
    expect(await shoot(check('status'))).toMatchObject({ status });
    expect(calls()[0]).toBe('status plug= port=n3');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['its list where it has one', ['off', 'list', 'status'], ['list', 'off']],
    ['the status where it has that', ['off', 'status'], ['status', 'off']],
    ['nothing where it has neither', ['off'], ['off']],
  ])('where nothing is configured goes by %s', async (_, actions, expected) => {
    install({ actions, does: { list: 'echo n3' } });
    await shoot(check('auto'));
    expect(calls().flatMap((call) => (call.startsWith('metadata') ? [] : [call.split(' ')[0]]))).toEqual(expected);
  });

  it('is not used when nothing is configured and its agent does not describe itself', async () => {
    install({ does: { metadata: 'exit 1' } });
    expect(await shoot(check('auto'))).toMatchObject({
      status: 'not-supported',
      exitReason: expect.stringContaining('pcmk_host_list') as string,
    });
  });
});

describe('the monitor of a fence device', () => {
  const monitor = (parameters: Readonly<Record<string, string>> = {}): Promise<OperationOutcome> =>
    executeOperation(
      {
        resource: { id: 'f', class: 'stonith', type: 'fence_x' },
        operation: 'monitor',
        intervalMs: 10_000,
        timeoutMs: 10_000,
        parameters,
        meta: {},
      },
      host,
    );

  it('is tried again, as the device may have been busy', async () => {
    install({ does: { monitor: `mkdir '${join(directory, 'tried')}' 2>/dev/null && exit 1 || exit 0` } });
    expect(await monitor()).toMatchObject({ rc: 0 });
  });

  it('is the action that is configured for it', async () => {
    install({ does: { monitor: 'exit 1', status: 'exit 0' } });
    expect(await monitor({ pcmk_monitor_action: 'status' })).toMatchObject({ rc: 0 });
    expect(calls().filter((call) => call.startsWith('monitor'))).toEqual([]);
  });

  it('fails when it fails as often as it is tried', async () => {
    install({ does: { monitor: 'exit 1' } });
    expect(await monitor({ pcmk_monitor_retries: '3' })).toMatchObject({ rc: 1 });
    expect(calls().filter((call) => call.startsWith('monitor'))).toHaveLength(3);
  });
});
