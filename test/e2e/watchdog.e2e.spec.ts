import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { unwrap } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { AgentsLab, isElsewhere, isOn, placesOf, prefersAlpha, scripted } from './agents-lab.js';
import { Cable, WatchdogRoom } from './watchdog-room.js';

const NODES = ['alpha', 'bravo', 'charlie'] as const;
const TIMEOUT_S = 3;
const OPTIONS = '<nvpair id="cps-watchdog" name="stonith-watchdog-timeout" value="-1"/>';
/** Twice the time-out, as a negative option asks for. */
const WAIT_MS = 2 * TIMEOUT_S * 1_000;
const LEASE_MS = 4_000;

let room: WatchdogRoom | undefined;
let lab: AgentsLab | undefined;
let cable: Cable | undefined;
afterEach(async () => {
  await lab?.stop();
  await cable?.close();
  await room?.close();
  lab = undefined;
  cable = undefined;
  room = undefined;
});

interface Parts {
  readonly at: AgentsLab;
  readonly watchdogs: WatchdogRoom;
}

async function started({
  withWatchdog = NODES,
  flagsOf,
}: {
  readonly withWatchdog?: readonly string[];
  readonly flagsOf?: (node: string, serverUrl: string) => readonly string[];
} = {}): Promise<Parts> {
  const watchdogs = await WatchdogRoom.open(withWatchdog, TIMEOUT_S);
  room = watchdogs;
  const at = await AgentsLab.start({
    fencing: true,
    leaseMs: LEASE_MS,
    options: OPTIONS,
    resources: scripted('a'),
    constraints: prefersAlpha('a'),
    flagsOf: (node, serverUrl) => [...watchdogs.flagsOf(node), ...(flagsOf?.(node, serverUrl) ?? [])],
  });
  lab = at;
  await watchdogs.plugIn(dirname(at.cluster.node('alpha').pidFile));
  await at.settled('a runs on alpha', (view) => isOn('a', 'alpha')(view) && view.nodes.every(({ online }) => online));
  return { at, watchdogs };
}

/** Until the server counts on the watchdog of a node. */
async function counted(at: AgentsLab, node: string): Promise<void> {
  for (;;) {
    const told = await at.events('WatchdogTold');
    if (told.some((one) => one.node === node && one.timeoutMs === TIMEOUT_S * 1_000)) return;
    await sleep(100);
  }
}

/** When `a` was started on a node, epoch ms. */
function startedAt(at: AgentsLab, node: string): number {
  return statSync(at.cluster.node(node).stateFile('a').replace('Dummy-', 'Scripted-')).mtimeMs;
}

async function cib(at: AgentsLab): Promise<string> {
  const { data } = await at.client.GET('/v1/clusters/{cluster}/cib', {
    params: { path: { cluster: at.cluster.id } },
    headers: { accept: 'application/xml' },
    parseAs: 'text',
  });
  return String(data);
}

/** It was reset before anything was started elsewhere, and the server counted from the loss of the lease. */
async function expectCounted({ at, watchdogs }: Parts, before: number): Promise<void> {
  const view = await at.settled('a runs elsewhere', isElsewhere('a', 'alpha'));
  expect(watchdogs.log('alpha')).toContain('reset');
  expect(watchdogs.lastEventAt('alpha')).toBeLessThan(startedAt(at, placesOf(view, 'a')[0] ?? ''));
  expect(await at.events('FencingRequested', before)).toContainEqual(
    expect.objectContaining({ target: 'alpha', device: 'watchdog', executor: 'alpha', watchdogMs: WAIT_MS }),
  );
  expect((await at.events('FencingCompleted', before)).at(-1)).toMatchObject({ target: 'alpha', device: 'watchdog', outcome: 'succeeded' });
}

describe.skipIf(!hasMountNamespaces())('nodes that are fenced by their own watchdogs (stand-ins that end their process trees)', () => {
  it(
    'an agent that freezes: its node counts as fenced when its watchdog has had its time, and is back as its next boot',
    { timeout: 120_000 },
    async () => {
      const parts = await started();
      const { at, watchdogs } = parts;
      await counted(at, 'alpha');
      expect(await cib(at)).toContain('name="have-watchdog" value="true"');
      const before = await at.cluster.version();
      const alpha = at.cluster.node('alpha');
      process.kill(alpha.pid ?? 0, 'SIGSTOP');
      await expectCounted(parts, before);
      await watchdogs.powerOn('alpha');
      await alpha.start();
      await at.settled('alpha is back', (view) => view.nodes.every(({ online }) => online));
    },
  );

  it('a node that is cut off: it lets itself be reset, and is not believed to be before', { timeout: 120_000 }, async () => {
    let serverPort = 0;
    cable = await Cable.lay(() => serverPort);
    const { url } = cable;
    const parts = await started({
      flagsOf: (node, serverUrl) => {
        serverPort = Number(new URL(serverUrl).port);
        return node === 'alpha' ? ['--server', url] : [];
      },
    });
    await counted(parts.at, 'alpha');
    const before = await parts.at.cluster.version();
    cable.pull();
    await expectCounted(parts, before);
  });

  it('a node that is online and could not stop something is told to let itself be reset', { timeout: 120_000 }, async () => {
    const parts = await started();
    const { at } = parts;
    await counted(at, 'alpha');
    const before = await at.cluster.version();
    await at.order('a', 'stop@alpha', 1);
    unwrap(
      await at.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/ban', {
        params: { path: { cluster: at.cluster.id, resource: 'a' } },
        body: { node: 'alpha', reason: 'a test' },
      }),
    );
    await expectCounted(parts, before);
  });

  it('a node whose watchdog is gone is not counted: everything waits for a person', { timeout: 120_000 }, async () => {
    const { at, watchdogs } = await started();
    await counted(at, 'alpha');
    const before = await at.cluster.version();
    watchdogs.breakDevice('alpha');
    await at.until('the server knows', () => true);
    while (!(await at.events('WatchdogTold', before)).some(({ node, timeoutMs }) => node === 'alpha' && timeoutMs === undefined))
      await sleep(100);
    at.cluster.node('alpha').kill();
    await at.until('alpha is lost', ({ nodes }) => nodes.some(({ name, online }) => name === 'alpha' && !online));
    await sleep(LEASE_MS + 2 * WAIT_MS);
    expect(await at.events('FencingCompleted', before)).toEqual([]);
    expect(isElsewhere('a', 'alpha')(await at.cluster.view())).toBe(false);
    const path = { cluster: at.cluster.id, node: 'alpha' };
    unwrap(
      await at.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/confirm-down', { params: { path }, body: { reason: 'a test' } }),
    );
    await at.settled('a runs elsewhere', isElsewhere('a', 'alpha'));
  });

  it('a node without a watchdog is not counted among those that have one', { timeout: 120_000 }, async () => {
    const { at } = await started({ withWatchdog: ['bravo', 'charlie'] });
    await counted(at, 'bravo');
    const before = await at.cluster.version();
    at.cluster.node('alpha').kill();
    await at.until('alpha is lost', ({ nodes }) => nodes.some(({ name, online }) => name === 'alpha' && !online));
    await sleep(LEASE_MS + 2 * WAIT_MS);
    expect(await at.events('FencingCompleted', before)).toEqual([]);
    expect(placesOf(await at.cluster.view(), 'a')).not.toContain('bravo');
  });
});
