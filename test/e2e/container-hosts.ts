import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient, unwrap, unwrapJson, type components, type SystoleClient } from '@systole/api-client';
import { agentProgram, checkout } from '@systole/examples';
import { createScratchDatabase } from '@systole/event-store/testing';
import { freePort } from '@systole/queue/testing';
import { execa } from 'execa';
import { tryToChange } from '../chaos/lab/configuration-change.js';
import { Network } from '../chaos/lab/network.js';
import { SystoleServer } from '../workloads/lab/systole-server.js';
import { ContainerHost } from './container-host.js';

const engine = join(checkout, 'test/e2e/container-engine');

const ADMIN_TOKEN = 'an-admin-token-for-this-very-test';
/** Machines that run tests are slow at times: whoever is served late is not to be taken for lost, nor what is started late to have failed. */
const PATIENCE_MS = 180_000;
const LEASE_MS = 10_000;
const OPERATION_TIMEOUT = '90s';
const HOSTS = ['alpha', 'bravo', 'charlie'] as const;

export type HostName = (typeof HOSTS)[number];
type Status = components['schemas']['StatusDto'];
type Resource = components['schemas']['ResourceSummaryDto'];

export interface ContainerHostsOptions {
  /** XML of `resources`, to which a fence device is added; `@NET@` is the first three numbers of the hosts' addresses. */
  readonly resources: string;
  readonly constraints?: string;
  /** Puts something on a host's disk, which it has as `/srv`. */
  readonly fill?: (disk: string) => void;
  /** The server brings a PostgreSQL of its own, instead of using that of the tests. */
  readonly ownDatabase?: boolean;
  /** What can be pulled, and what it runs: a line for `sh` by `name:tag`. */
  readonly images: Readonly<Record<string, string>>;
  /** Programs that all hosts have, by their names, beside `systole-agent`; `@FILES@` in the resources is where they lie, and `@CHECKOUT@` is what they need. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Whether the hosts and their stand-in engine can be had: needs root, and the packages that `.ci/run` installs. */
export function canRunContainers(): boolean {
  const overlay =
    'mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/m && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m';
  const programs =
    'ip link add br0 type bridge && for p in socat nft ss pgrep /usr/lib/ocf/resource.d/heartbeat/podman; do command -v $p || exit 1; done';
  return spawnSync('unshare', ['-m', '-n', '-p', '-u', '-f', 'sh', '-c', `${overlay} && ${programs}`], { stdio: 'ignore' }).status === 0;
}

/** Systole, as a process of its own, and three machines that run containers. Whoever is fenced loses its power, and stays off until it is booted. */
export class ContainerHosts {
  private over = false;

  private constructor(
    readonly server: SystoleServer,
    readonly client: SystoleClient,
    readonly cluster: string,
    private readonly subnet: string,
    private readonly hosts: readonly ContainerHost[],
    private readonly programs: string,
    private readonly cleanups: (() => Promise<unknown>)[],
  ) {}

  static async start(options: ContainerHostsOptions): Promise<ContainerHosts> {
    const { resources, constraints = '', images, files = {}, fill, ownDatabase = false } = options;
    const cleanups: (() => Promise<unknown>)[] = [];
    try {
      const directory = await mkdtemp(join(tmpdir(), 'systole-hosts-'));
      // Not everything runs as root: PostgreSQL, and what containers run.
      await chmod(directory, 0o755);
      cleanups.push(() => rm(directory, { recursive: true, force: true }));
      const programs = join(directory, 'bin');
      await installEngine(programs, directory, images);
      const shared = join(directory, 'files');
      await mkdir(shared);
      const agent = `#!/bin/sh\nexec ${process.execPath} ${agentProgram()} "$@"\n`;
      for (const [name, text] of Object.entries({ 'systole-agent': agent, ...files }))
        await writeFile(join(shared, name), text, { mode: 0o755 });
      const network = await Network.create();
      cleanups.push(() => network.dispose());
      const database = ownDatabase ? undefined : await createScratchDatabase();
      cleanups.push(() => Promise.resolve(database?.drop()));
      const server = new SystoleServer({
        ...{ host: network.address, port: await freePort(), adminToken: ADMIN_TOKEN, leaseMs: LEASE_MS },
        ...{ dataDirectory: join(directory, 'data'), logFile: join(directory, 'server.log') },
        ...(database === undefined ? {} : { databaseUrl: database.url }),
      });
      cleanups.push(() => server.stop());
      await server.start();
      const client = createSystoleClient({ baseUrl: server.url, token: ADMIN_TOKEN });
      const made = unwrap(
        await client.POST('/v1/clusters', {
          body: {
            name: 'hosts',
            cib: cibOf(
              resources
                .replaceAll('@FILES@', shared)
                .replaceAll('@CHECKOUT@', checkout.replace(/\/$/, ''))
                .replaceAll('@NET@', network.subnet),
              constraints,
            ),
          },
        }),
      );
      if ('dryRun' in made) throw new Error('the cluster was only previewed');
      const hosts: ContainerHost[] = [];
      for (const name of HOSTS) {
        const issued = unwrap(await client.POST('/v1/tokens', { body: { role: 'agent', cluster: made.id, node: name, name } }));
        const own = join(directory, name);
        for (const part of ['state', 'disk']) await mkdir(join(own, part), { recursive: true });
        fill?.(join(own, 'disk'));
        await writeFile(join(own, 'token'), 'secret' in issued ? issued.secret : '', { mode: 0o600 });
        hosts.push(
          new ContainerHost({ network, machine: await network.addMachine(name), directory: own, programs, serverUrl: server.url }),
        );
      }
      const known = hosts.map(({ name, address }) => `${address} ${name}\n`).join('');
      for (const { name } of hosts) await writeFile(join(directory, name, 'hosts'), `127.0.0.1 localhost\n${known}`);
      const lab = new ContainerHosts(server, client, made.id, network.subnet, hosts, programs, cleanups);
      cleanups.push(() => lab.switchOff());
      for (const host of hosts) await host.boot();
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

  /** An address among those of the hosts. */
  address(last: number): string {
    return `${this.subnet}.${String(last)}`;
  }

  /** `systole …`, as an operator types it. @returns what it said, whether it failed or not */
  async systole(...args: readonly string[]): Promise<{ readonly code: number | undefined; readonly text: string }> {
    const env = { SYSTOLE_SERVER: this.server.url, SYSTOLE_TOKEN: ADMIN_TOKEN, SYSTOLE_CLUSTER: this.cluster };
    const { exitCode, stdout, stderr } = await execa(process.execPath, [join(checkout, 'apps/cli/bin/systole.js'), ...args], {
      ...{ env, reject: false, timeout: 120_000 },
    });
    return { code: exitCode, text: `${stdout}${stderr}` };
  }

  /** Rewrites the configuration as XML. @throws when it is refused */
  async configure(change: (xml: string) => string): Promise<void> {
    const written = await tryToChange(this.client, this.cluster, change, 'test');
    if (typeof written !== 'number') throw new Error(`the configuration is ${written}`);
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
  containers(name: string): readonly string[] {
    const found: string[] = [];
    for (const host of this.hosts.filter(({ isOn }) => isOn)) {
      const { status, stdout } = host.run('podman', 'inspect', '--format', '{{.State.Status}}', name);
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
  const nodes = HOSTS.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`);
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="cps"><nvpair id="cps-startup" name="startup-fencing" value="false"/></cluster_property_set></crm_config>
    <nodes>${nodes.join('')}</nodes>
    <resources>${resources}<primitive id="power" class="stonith" type="fence_hosts"><instance_attributes id="power-p">
      <nvpair id="power-p-h" name="pcmk_host_list" value="${HOSTS.join(' ')}"/></instance_attributes></primitive></resources><constraints>${constraints}</constraints>
    <op_defaults><meta_attributes id="od"><nvpair id="od-timeout" name="timeout" value="${OPERATION_TIMEOUT}"/></meta_attributes></op_defaults>
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
