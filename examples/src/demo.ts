import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient } from '@systole/api-client';
import { describeEvent } from '@systole/cluster';
import { startEmbedded } from '@systole/embedded';
import { Command } from 'commander';
import { DemoCluster } from './demo-cluster.js';
import { hasMountNamespaces } from './demo-node.js';
import { Rebooting } from './rebooting.js';
import { lineScreen, terminalScreen, type Screen } from './screen.js';
import { runScript, STEP_COUNT } from './script.js';

/** Short, so that a killed node is noticed while one watches; production leases are longer. */
const LEASE_MS = 4_000;
const REFRESH_MS = 250;

interface Flags {
  readonly script?: boolean;
  readonly port: string;
  readonly logLevel: string;
}

const flags = new Command('npm run demo --')
  .description('Three nodes on this machine: places, starts, monitors, recovers and fences while you watch.')
  .option('--script', 'try everything without a person, print verdicts, exit 0 or 1')
  .option('--port <port>', 'port of the HTTP server (0: any free one)', '0')
  .option('--log-level <level>', "level of the servers' own log", 'silent')
  .parse()
  .opts<Flags>();

async function follow(cluster: DemoCluster, screen: Screen, rebooting: Rebooting, ended: AbortSignal): Promise<void> {
  let version = 0;
  while (!ended.aborted) {
    const view = await cluster.view();
    screen.show(view);
    if (view.version > version) {
      for (const event of await cluster.eventsAfter(version)) {
        version = event.version;
        rebooting.observe(event);
        const { text, details, routine } = describeEvent(event.event, event.actor);
        if (!routine) screen.tell([text, ...details.map((line) => `    ${line}`)].join('\n'));
      }
    }
    await sleep(REFRESH_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Commands short enough to be copied from a narrow terminal: the token stands in a file that curl reads. */
async function hints(cluster: DemoCluster, directory: string, url: string, token: string): Promise<string[]> {
  const curlConfig = join(directory, 'curl');
  await writeFile(curlConfig, `header = "Authorization: Bearer ${token}"\nrequest = "POST"\nsilent\noutput = "/dev/null"\n`, {
    mode: 0o600,
  });
  const alpha = cluster.node('alpha');
  const command = (name: string): string => `curl -K ${curlConfig} ${url}/v1/clusters/demo/nodes/bravo/commands/${name}`;
  return [
    'Try, in another terminal:',
    `  kill a node      kill -9 $(head -1 ${alpha.pidFile})`,
    `  fail a resource  rm ${alpha.stateFile('database')}`,
    `  standby          ${command('standby')}`,
    `  and back         ${command('unstandby')}`,
    `  the API          ${url}/docs with the token ${token}`,
    'Ctrl-C ends the demonstration.',
  ];
}

async function main(): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'systole-demo-'));
  const interactive = process.stdout.isTTY && flags.script !== true;
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      ended.abort();
    });
  }
  const progress = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  progress('Starting Systole …');
  const systole = await startEmbedded({
    dataDir: join(directory, 'server'),
    port: Number(flags.port),
    logLevel: flags.logLevel,
    leaseMs: LEASE_MS,
    progress,
  });
  let cluster: DemoCluster | undefined;
  let rebooting: Rebooting | undefined;
  try {
    const { adminToken: token } = systole;
    if (token === undefined) throw new Error('the server made no admin token although its database is new');
    if (!hasMountNamespaces())
      progress('No mount namespaces here: the nodes share /run; their resource agents keep state apart by directory.');
    progress('Creating the cluster and switching three nodes on …');
    cluster = await DemoCluster.create({ client: createSystoleClient({ baseUrl: systole.url, token }), serverUrl: systole.url, directory });
    const screen = interactive ? terminalScreen(process.stdout) : lineScreen(process.stdout);
    rebooting = new Rebooting(cluster.nodes, (line) => {
      screen.tell(line);
    });
    try {
      if (flags.script !== true) screen.hint(await hints(cluster, directory, systole.url, token));
      const following = Promise.race([follow(cluster, screen, rebooting, ended.signal), systole.failed]);
      if (flags.script !== true) {
        await following;
        return true;
      }
      const verdicts = await Promise.race([
        runScript(cluster, ({ name, ok, detail, seconds }) => {
          screen.tell(`${ok ? 'PASSED' : 'FAILED'}: ${name} (${seconds.toFixed(1)} s): ${detail}`);
        }),
        following.then(() => []),
      ]);
      ended.abort();
      await following;
      const passed = verdicts.filter(({ ok }) => ok).length;
      progress(`${passed} of ${STEP_COUNT} verdicts passed`);
      return passed === STEP_COUNT;
    } finally {
      screen.close();
    }
  } finally {
    ended.abort();
    progress('Stopping …');
    rebooting?.stop();
    await cluster?.stop();
    await systole.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

process.exit((await main()) ? 0 : 1);
