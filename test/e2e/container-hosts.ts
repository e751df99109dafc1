import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSystoleClient, unwrap, unwrapJson, type components, type SystoleClient } from '@systole/api-client';
import { startEmbedded } from '@systole/embedded';
import { createScratchDatabase } from '@systole/event-store/testing';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const engine = fileURLToPath(new URL('container-engine', import.meta.url));

const ADMIN_TOKEN = 'an-admin-token-for-this-very-test';
const PATIENCE_MS = 60_000;
const BRIDGE = 'systolebr';
/** The server's address among the hosts. */
const SERVER = '10.79.0.1';
const ADDRESSES = { alpha: '10.79.0.11', bravo: '10.79.0.12', charlie: '10.79.0.13' } as const;

export type HostName = keyof typeof ADDRESSES;
type Status = components['schemas']['StatusDto'];
type Resource = components['schemas']['ResourceSummaryDto'];

export interface ContainerHostsOptions {
  /** XML of `resources`, beside the fence device. */
  readonly resources: string;
  readonly constraints?: string;
  /** What can be pulled, and what it runs: a line for `sh` by `name:tag`. */
  readonly images: Readonly<Record<string, string>>;
  /** Programs that all hosts have, by their names, beside `systole-agent`; `@FILES@` in the resources is where they lie, and `@CHECKOUT@` is what they need. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What a program said. */
export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whether the hosts and their stand-in engine can be had: needs root, and the packages that `.ci/run` installs. */
export function canRunContainers(): boolean {
  const overlay =
    'mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/m && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m';
  const programs =
    'ip link add br0 type bridge && for p in socat nft ss pgrep /usr/lib/ocf/resource.d/heartbeat/podman; do command -v $p || exit 1; done';
  return spawnSync('unshare', ['-m', '-n', '-p', '-u', '-f', 'sh', '-c', `${overlay} && ${programs}`], { stdio: 'ignore' }).status === 0;
}

function succeeds(...[program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function must(...[program = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** One machine: namespaces of its own (network, process ids, mounts, host name) with an agent in them, and the stand-in engine as its `podman` and `docker`. */
class ContainerHost {
  private process: ChildProcess | undefined;
  private readonly namespace: string;

  /** @param programs directory that stands first in its PATH */
  constructor(
    readonly name: HostName,
    private readonly directory: string,
    private readonly programs: string,
    private readonly serverUrl: string,
  ) {
    this.namespace = `systole-${name}`;
  }

  /** Switches it on: its disk is what it was, and nothing runs. */
  boot(): void {
    this.unplug();
    const cable = `sy-${this.name}`;
    must('ip', 'netns', 'add', this.namespace);
    must('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.namespace);
    must('ip', 'link', 'set', cable, 'master', BRIDGE, 'up');
    for (const line of [
      'link set lo up',
      `address add ${ADDRESSES[this.name]}/24 dev eth0`,
      'link set eth0 up',
      `route add default via ${SERVER}`,
    ])
      must('ip', '-n', this.namespace, ...line.split(' '));
    const at = (name: string): string => join(this.directory, name);
    const agent = [
      ...[process.execPath, join(checkout, 'apps/agent/dist/main.js'), '--server', this.serverUrl, '--node', this.name],
      ...[
        '--token-file',
        at('token'),
        '--state-dir',
        at('state'),
        '--ocf-root',
        join(checkout, 'agents/ocf'),
        '--fence-dir',
        this.programs,
      ],
    ];
    // Process 1 takes in what the agents leave behind.
    const script = `hostname ${this.name}; mount -t tmpfs -o mode=755 tmpfs /run; mkdir -p /run/lock; "$@" & while :; do wait -n || sleep 1; done`;
    const own = ['--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc'];
    const log = openSync(at('agent.log'), 'a');
    this.process = spawn('ip', ['netns', 'exec', this.namespace, 'unshare', ...own, 'bash', '-c', script, 'init', ...agent], {
      ...{ stdio: ['ignore', log, log], env: this.environment },
    });
    closeSync(log);
  }

  private get environment(): NodeJS.ProcessEnv {
    return { PATH: `${this.programs}:${process.env['PATH'] ?? ''}` };
  }

  /** Runs a program there. */
  async run(...command: readonly string[]): Promise<Said> {
    const outer = String(this.process?.pid ?? 0);
    const [init = ''] = (await readFile(`/proc/${outer}/task/${outer}/children`, 'utf8')).trim().split(' ');
    const { status, stdout, stderr } = spawnSync('nsenter', ['-t', init, '-m', '-u', '-i', '-n', '-p', '--', ...command], {
      ...{ encoding: 'utf8', env: this.environment },
    });
    return { status, stdout, stderr };
  }

  /** Its power is cut: everything that runs there ends at once, and its cable hangs loose. */
  async kill(): Promise<void> {
    const ended = this.process;
    this.process = undefined;
    if (ended !== undefined && ended.exitCode === null && ended.signalCode === null) {
      const over = new Promise((resolve) => ended.once('exit', resolve));
      ended.kill('SIGKILL');
      await over;
    }
    this.unplug();
  }

  private unplug(): void {
    succeeds('ip', 'netns', 'del', this.namespace);
    succeeds('ip', 'link', 'del', `sy-${this.name}`);
  }
}

/** Systole in this process, and three machines that run containers. Whoever is fenced loses its power, and stays off until it is booted. */
export class ContainerHosts {
  private over = false;

  private constructor(
    readonly client: SystoleClient,
    readonly cluster: string,
    private readonly hosts: readonly ContainerHost[],
    private readonly programs: string,
    private readonly cleanups: (() => Promise<unknown>)[],
  ) {}

  static async start({ resources, constraints = '', images, files = {} }: ContainerHostsOptions): Promise<ContainerHosts> {
    const cleanups: (() => Promise<unknown>)[] = [];
    try {
      const directory = await mkdtemp(join(tmpdir(), 'systole-hosts-'));
      cleanups.push(() => rm(directory, { recursive: true, force: true }));
      const programs = join(directory, 'bin');
      await installEngine(programs, directory, images);
      const shared = join(directory, 'files');
      await mkdir(shared);
      const agent = `#!/bin/sh\nexec ${process.execPath} ${checkout}apps/agent/dist/main.js "$@"\n`;
      for (const [name, text] of Object.entries({ 'systole-agent': agent, ...files }))
        await writeFile(join(shared, name), text, { mode: 0o755 });
      succeeds('ip', 'link', 'del', BRIDGE);
      must('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
      cleanups.push(() => Promise.resolve(succeeds('ip', 'link', 'del', BRIDGE)));
      must('ip', 'address', 'add', `${SERVER}/24`, 'dev', BRIDGE);
      must('ip', 'link', 'set', BRIDGE, 'up');
      const database = await createScratchDatabase();
      cleanups.push(() => database.drop());
      const server = { databaseUrl: database.url, host: SERVER, port: 0, logLevel: 'silent', adminToken: ADMIN_TOKEN, leaseMs: 6_000 };
      const systole = await startEmbedded(server);
      cleanups.push(() => systole.stop());
      const client = createSystoleClient({ baseUrl: systole.url, token: ADMIN_TOKEN });
      const made = unwrap(
        await client.POST('/v1/clusters', {
          body: {
            name: 'hosts',
            cib: cibOf(resources.replaceAll('@FILES@', shared).replaceAll('@CHECKOUT@', checkout.replace(/\/$/, '')), constraints),
          },
        }),
      );
      if ('dryRun' in made) throw new Error('the cluster was only previewed');
      const hosts: ContainerHost[] = [];
      for (const name of Object.keys(ADDRESSES) as HostName[]) {
        const issued = unwrap(await client.POST('/v1/tokens', { body: { role: 'agent', cluster: made.id, node: name, name } }));
        const own = join(directory, name);
        await mkdir(join(own, 'state'), { recursive: true });
        await writeFile(join(own, 'token'), 'secret' in issued ? issued.secret : '', { mode: 0o600 });
        hosts.push(new ContainerHost(name, own, programs, systole.url));
      }
      const lab = new ContainerHosts(client, made.id, hosts, programs, cleanups);
      cleanups.push(() => lab.switchOff());
      for (const host of hosts) host.boot();
      void lab.serveFencing();
      return lab;
    } catch (error) {
      for (const cleanup of cleanups.reverse()) await cleanup();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }

  host(name: string): ContainerHost {
    const found = this.hosts.find((host) => host.name === name);
    if (found === undefined) throw new Error(`there is no host ${name}`);
    return found;
  }

  async status(): Promise<Status> {
    return unwrapJson(await this.client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: this.cluster } } }));
  }

  /** @throws when it is not so in time, with what the cluster looks like instead */
  async until(what: string, reached: (status: Status) => boolean | Promise<boolean>): Promise<Status> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const status = await this.status();
      if (await reached(status)) return status;
      if (Date.now() > deadline)
        throw new Error(`${what}: not within ${String(PATIENCE_MS)} ms; ${JSON.stringify({ ...status, operations: undefined })}`);
      await sleep(200);
    }
  }

  /** The cluster is at rest, and so it is. */
  async settled(what: string, reached: (status: Status) => boolean = () => true): Promise<Status> {
    return this.until(what, (status) => status.settled && reached(status));
  }

  /** The engine's word of a container, on every host that is on: `running on alpha`. */
  async containers(name: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const host of this.hosts) {
      const { status, stdout } = await host.run('podman', 'inspect', '--format', '{{.State.Status}}', name);
      if (status === 0) found.push(`${stdout.trim()} on ${host.name}`);
    }
    return found;
  }

  private async switchOff(): Promise<void> {
    this.over = true;
    for (const host of this.hosts) await host.kill();
  }

  /** Does what `fence_hosts` was told. */
  private async serveFencing(): Promise<void> {
    const power = join(this.programs, 'power');
    await mkdir(power, { recursive: true });
    while (!this.over) {
      for (const name of await readdir(power).catch(() => [])) {
        await this.hosts.find((host) => host.name === name)?.kill();
        await rm(join(power, name), { force: true });
      }
      await sleep(100);
    }
  }
}

/** `podman` and `docker`, each with a store for each host. */
async function installEngine(programs: string, directory: string, images: Readonly<Record<string, string>>): Promise<void> {
  await cp(engine, programs, { recursive: true });
  const registry = join(programs, 'registry');
  await writeFile(
    registry,
    Object.entries(images)
      .map(([name, command]) => `${name} ${command}\n`)
      .join(''),
  );
  for (const name of ['podman', 'docker']) {
    const script = `#!/bin/sh\nCTR_ENGINE=${name} CTR_STORE=${directory}/$(hostname)/containers CTR_REGISTRY=${registry} exec ${programs}/engine.sh "$@"\n`;
    await writeFile(join(programs, name), script, { mode: 0o755 });
  }
}

function cibOf(resources: string, constraints: string): string {
  const nodes = Object.keys(ADDRESSES).map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`);
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="cps"><nvpair id="cps-startup" name="startup-fencing" value="false"/></cluster_property_set></crm_config>
    <nodes>${nodes.join('')}</nodes>
    <resources>${resources}<primitive id="power" class="stonith" type="fence_hosts"><instance_attributes id="power-p">
      <nvpair id="power-p-h" name="pcmk_host_list" value="${Object.keys(ADDRESSES).join(' ')}"/></instance_attributes></primitive></resources><constraints>${constraints}</constraints>
  </configuration></cib>`;
}

/** A resource of a status, wherever in it. */
export function resourceOf({ resources }: Status, id: string): Resource | undefined {
  const search = (among: readonly Resource[]): Resource | undefined => {
    for (const one of among) {
      const found = one.id === id ? one : search(one.children);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(resources);
}

/** Where it is active. */
export function placesOf(status: Status, id: string): readonly string[] {
  return resourceOf(status, id)?.activeOn ?? [];
}
