import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient, unwrap, type SystoleClient } from '@systole/api-client';
import pg from 'pg';
import { serverProgram } from '../../servers/server-program.js';
import { APIS, NODES, STORES, WORKERS, hasClock, type ClockName, type MachineName, type NodeName } from '../faults/fault.js';
import type { Timeline } from '../timeline.js';
import { Clock } from './clock.js';
import { clusterConfiguration } from './cluster-configuration.js';
import { tryToChange } from './configuration-change.js';
import type { Machine } from './machine.js';
import { Network } from './network.js';
import { ClusterNode } from './node.js';
import { PostgresqlFiles } from './postgresql.js';
import { checkRequirements } from './requirements.js';
import { runCommand } from './run-command.js';
import { Service, type Death } from './service.js';
import { ServiceAddress } from './service-address.js';

const PORT = 3000;
const ADMIN_TOKEN = 'an-admin-token-for-the-chaos-run';
const REQUEST_MS = 8_000;
const START_MS = 30_000;

export interface LabOptions {
  readonly leaseMs: number;
  readonly timeline: Timeline;
  readonly onDeath: (death: Death) => void;
}

interface Parts {
  /** Everything that is a file lies below it. */
  readonly directory: string;
  readonly network: Network;
  readonly machines: ReadonlyMap<MachineName, Machine>;
  readonly clocks: ReadonlyMap<ClockName, Clock>;
  readonly services: Map<MachineName, Service>;
  readonly nodes: Map<NodeName, ClusterNode>;
  readonly postgresql: PostgresqlFiles;
  readonly address: ServiceAddress;
  readonly client: SystoleClient;
}

/**
 * Systole as in production, each program on a machine of its own: two apis behind a service address, two workers, PostgreSQL, Redis, and five nodes
 * with a fence device and exclusive resources.
 */
export class ChaosLab {
  private spare: Promise<Machine> | undefined;

  private constructor(
    private readonly parts: Parts,
    /** The cluster's id. */
    readonly cluster: string,
    private readonly undo: (() => Promise<unknown>)[],
  ) {}

  /** @throws with what is missing, after having taken down what was set up */
  static async start(options: LabOptions): Promise<ChaosLab> {
    checkRequirements();
    const undo: (() => Promise<unknown>)[] = [];
    const directory = await mkdtemp(join(tmpdir(), `sychaos${process.pid}-`));
    undo.push(() => rm(directory, { recursive: true, force: true }));
    try {
      const parts = await setUp(directory, options, undo);
      const cluster = await createCluster(parts, options, undo);
      return new ChaosLab(parts, cluster, undo);
    } catch (error) {
      const said = await lastLines(directory);
      await undoAll(undo);
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`the lab can't be set up: ${reason}\n${said}`, { cause: error });
    }
  }

  /** Takes everything down that the run has made on this machine. */
  dispose(): Promise<void> {
    return undoAll(this.undo);
  }

  get client(): SystoleClient {
    return this.parts.client;
  }

  get postgresql(): PostgresqlFiles {
    return this.parts.postgresql;
  }

  get address(): ServiceAddress {
    return this.parts.address;
  }

  get databaseUrl(): string {
    return databaseUrl(this.machine('postgresql'));
  }

  /** What all nodes share: the witness's locks and log, the fence device's notes. */
  get shared(): string {
    return join(this.parts.directory, 'shared');
  }

  get logs(): string {
    return join(this.parts.directory, 'logs');
  }

  machine(name: MachineName): Machine {
    return found(this.parts.machines, name);
  }

  service(name: MachineName): Service {
    return found(this.parts.services, name);
  }

  clock(name: ClockName): Clock {
    return found(this.parts.clocks, name);
  }

  node(name: NodeName): ClusterNode {
    return found(this.parts.nodes, name);
  }

  /**
   * A machine with a copy of a node's disk is switched on. Whoever fences the node reaches both.
   *
   * @returns switches it off
   */
  async switchOnClone(name: NodeName): Promise<() => Promise<void>> {
    this.spare ??= this.parts.network.addMachine('clone');
    const machine = await this.spare;
    const directory = join(this.parts.directory, 'clone');
    const plug = join(this.shared, `${name}.clone`);
    const logFile = join(this.logs, 'clone.log');
    const clone = await this.node(name).copyTo(machine, { directory, logFile, onDeath: () => undefined });
    await writeFile(plug, `${machine.identity}\n`);
    const switchOff = async (): Promise<void> => {
      clone.agent.hold();
      await machine.kill();
      await rm(plug, { force: true });
      await clone.dispose();
      await rm(directory, { recursive: true, force: true });
    };
    await clone.agent.start();
    return switchOff;
  }

  /**
   * Changes the configuration, however often one has to ask; nothing is done where the edit changes nothing.
   *
   * @throws when no server takes it in time
   */
  async changeConfiguration(edit: (cib: string) => string, reason: string): Promise<void> {
    await until(`the configuration is changed (${reason})`, () =>
      tryToChange(this.client, this.cluster, edit, reason).then(
        (done) => done !== 'refused',
        () => false,
      ),
    );
  }
}

async function setUp(directory: string, { leaseMs, onDeath }: LabOptions, undo: (() => Promise<unknown>)[]): Promise<Parts> {
  for (const name of ['logs', 'shared', 'clocks']) await mkdir(join(directory, name));
  await runCommand(['chmod', '-R', 'a+rx', directory]);

  const network = await Network.create();
  undo.push(() => network.dispose());
  const machines = new Map<MachineName, Machine>();
  const clocks = new Map<ClockName, Clock>();
  for (const name of [...STORES, ...APIS, ...WORKERS, ...NODES]) {
    machines.set(name, await network.addMachine(name));
    if (hasClock(name)) clocks.set(name, new Clock(join(directory, 'clocks', name)));
  }

  const services = new Map<MachineName, Service>();
  const start = async (name: MachineName, command: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> => {
    const machine = found(machines, name);
    const logFile = join(directory, 'logs', `${name}.log`);
    const service = new Service({
      name,
      machine,
      command,
      environment,
      logFile,
      onDeath,
    });
    services.set(name, service);
    await service.start();
  };

  const postgresql = await PostgresqlFiles.create(join(directory, 'postgresql'));
  undo.push(() => postgresql.shutDown(found(machines, 'postgresql')));
  await start('postgresql', postgresql.command(found(clocks, 'postgresql')), {});
  await start('redis', ['redis-server', '--bind', '0.0.0.0', '--protected-mode', 'no', '--save', '', '--appendonly', 'no'], {
    PATH: process.env['PATH'] ?? '',
  });
  await createDatabase(found(machines, 'postgresql'));

  const settings = {
    databaseUrl: databaseUrl(found(machines, 'postgresql')),
    redisUrl: `redis://${found(machines, 'redis').address}:6379`,
    ...{ leaseMs, adminToken: ADMIN_TOKEN },
  };
  for (const name of [...APIS, ...WORKERS]) {
    const { command, environment } = serverProgram(name.startsWith('api') ? 'api' : 'worker', settings);
    await start(name, [...found(clocks, name).within, ...command], { ...environment, HOST: '0.0.0.0', PORT: String(PORT) });
  }
  const backends = APIS.map((name) => found(machines, name).address);
  const address = await ServiceAddress.listen(network.address, PORT, backends);
  undo.push(() => {
    address.close();
    return Promise.resolve();
  });
  const client = createSystoleClient({
    baseUrl: `http://${network.address}:${PORT}`,
    token: ADMIN_TOKEN,
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(REQUEST_MS) }),
  });
  undo.push(() => {
    for (const service of services.values()) service.hold();
    return Promise.resolve();
  });
  return { directory, network, machines, clocks, services, nodes: new Map(), postgresql, address, client };
}

/** Makes the cluster with its nodes' tokens, and switches the nodes on. */
async function createCluster(parts: Parts, { timeline, onDeath }: LabOptions, undo: (() => Promise<unknown>)[]): Promise<string> {
  const { directory, network, machines, clocks, services, nodes, address, client } = parts;
  await until('an api is ready', () => address.allReady);
  const shared = join(directory, 'shared');
  const made = unwrap(await client.POST('/v1/clusters', { body: { name: 'chaos', cib: clusterConfiguration(shared) } }));
  if ('dryRun' in made) throw new Error('the server only previewed the cluster, though it was to be made');
  for (const name of NODES) {
    const machine = found(machines, name);
    await writeFile(join(shared, `${name}.namespace`), `${machine.identity}\n`);
    const issued = unwrap(
      await client.POST('/v1/tokens', { body: { role: 'agent', cluster: made.id, node: name, name: `agent-${name}` } }),
    );
    const token = 'secret' in issued ? issued.secret : undefined;
    if (token === undefined) throw new Error(`no secret came with the token of ${name}`);
    const node = await ClusterNode.create({
      ...{ name, machine, clock: found(clocks, name), token, serverUrl: `http://${network.address}:${PORT}`, onDeath },
      directory: join(directory, name),
      logFile: join(directory, 'logs', `${name}.log`),
      onBoot: () => {
        timeline.note(`${name} boots`);
      },
    });
    // Before the network: a process that lives keeps the file system busy.
    undo.splice(1, 0, () => node.dispose());
    nodes.set(name, node);
    services.set(name, node.agent);
    await node.agent.start();
  }
  return made.id;
}

async function createDatabase(machine: Machine): Promise<void> {
  await until('PostgreSQL answers', async () => {
    const client = new pg.Client({ host: machine.address, user: 'postgres', database: 'postgres' });
    try {
      await client.connect();
      await client.query('CREATE DATABASE systole');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

function databaseUrl(machine: Machine): string {
  return `postgres://postgres@${machine.address}:5432/systole`;
}

async function until(what: string, reached: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + START_MS; !(await reached());) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${START_MS} ms`);
    await sleep(100);
  }
}

/** Of every program's log. */
async function lastLines(directory: string): Promise<string> {
  const logs = join(directory, 'logs');
  const names = await readdir(logs).catch(() => []);
  const texts = await Promise.all(
    names.map(async (name) => [name, ...(await readFile(join(logs, name), 'utf8')).split('\n').slice(-8)].join('\n  ')),
  );
  return texts.join('\n');
}

async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}

function found<Name, Thing>(things: ReadonlyMap<Name, Thing>, name: Name): Thing {
  const thing = things.get(name);
  if (thing === undefined) throw new Error(`there is no ${String(name)} in the lab`);
  return thing;
}
