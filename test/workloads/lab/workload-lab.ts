import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient, unwrap, unwrapJson, type components, type SystoleClient } from '@systole/api-client';
import { agentProgram, checkout } from '@systole/examples';
import { freePort } from '@systole/queue/testing';
import { execa } from 'execa';
import { tryToChange } from '../../chaos/lab/configuration-change.js';
import { Network } from '../../chaos/lab/network.js';
import { LabMachine, type Outcome } from './lab-machine.js';
import { PowerSwitch } from './power-switch.js';
import { SystoleServer } from './systole-server.js';

const ADMIN_TOKEN = 'an-admin-token-for-the-lab-of-workloads';
const LEASE_MS = 5_000;
const PATIENCE_MS = 240_000;
/** Of `systole-agent`: what ended in order, or will not do better when it is started again. */
const FINAL_EXIT_CODES = [0, 64, 69, 77, 100];
const LAB_AGENTS = join(checkout, 'test/workloads/agents');

export const NODES = ['alpha', 'bravo', 'charlie'] as const;
export type NodeName = (typeof NODES)[number];

export type Status = components['schemas']['StatusDto'];
type Resource = components['schemas']['ResourceSummaryDto'];

export interface WorkloadLabOptions {
  /** Configuration: a file of `examples/workloads`, without its ending; the lab adds the fence device. */
  readonly example?: string;
  /** Or the configuration itself. */
  readonly cib?: string;
  /** Names of remote nodes, with machines and agents like those of the cluster's own. */
  readonly remoteNodes?: readonly string[];
  /** Done before agents are started. */
  readonly prepare?: (nodes: readonly LabMachine[]) => Promise<unknown>;
  readonly leaseMs?: number;
}

/**
 * Three nodes (`192.0.2.11` to `.13`), remote nodes (from `192.0.2.21` on), a client (`192.0.2.1`) and a power switch, each machine with namespaces and a disk of its own, and Systole: the
 * real server with a database of its own, and a real agent on each node, which runs Debian's resource agents unmodified.
 */
export class WorkloadLab {
  private constructor(
    readonly server: SystoleServer,
    readonly power: PowerSwitch,
    /** A machine on the same network that is no node. */
    readonly outside: LabMachine,
    readonly id: string,
    private readonly machines: ReadonlyMap<string, LabMachine>,
    private readonly api: SystoleClient,
    private readonly undo: (() => Promise<unknown>)[],
  ) {}

  /** @throws after having taken down what was set up */
  static async start(options: WorkloadLabOptions): Promise<WorkloadLab> {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      return await setUp(options, undo, (...parts) => new WorkloadLab(...parts, undo));
    } catch (error) {
      await undoAll(undo);
      throw error;
    }
  }

  async stop(): Promise<void> {
    await undoAll(this.undo);
  }

  node(name: string): LabMachine {
    const machine = this.machines.get(name);
    if (machine === undefined) throw new Error(`there is no node ${name}`);
    return machine;
  }

  /** `systole …`, as an operator types it. @throws with what it said, when it fails */
  async systole(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.trySystole(...args);
    if (code !== 0) throw new Error(`systole ${args.join(' ')}: ${code ?? 'no exit code'} ${stderr} ${stdout}`);
    return stdout;
  }

  async trySystole(...args: readonly string[]): Promise<Outcome> {
    const env = { SYSTOLE_SERVER: this.server.url, SYSTOLE_TOKEN: ADMIN_TOKEN, SYSTOLE_CLUSTER: this.id };
    const { exitCode, stdout, stderr } = await execa(process.execPath, [join(checkout, 'apps/cli/bin/systole.js'), ...args], {
      ...{ env, reject: false, timeout: 120_000 },
    });
    return { code: exitCode, stdout, stderr };
  }

  async status(): Promise<Status> {
    return unwrapJson(await this.api.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: this.id } } }));
  }

  /** Rewrites the configuration as XML. @throws when it is refused */
  async configure(change: (xml: string) => string): Promise<void> {
    const written = await tryToChange(this.api, this.id, change, 'test');
    if (typeof written !== 'number') throw new Error(`the configuration is ${written}`);
  }

  /** The configuration and status as XML. */
  async cib(): Promise<string> {
    return unwrap(
      await this.api.GET('/v1/clusters/{cluster}/cib', {
        params: { path: { cluster: this.id } },
        headers: { accept: 'application/xml' },
        parseAs: 'text',
      }),
    );
  }

  /** The cluster is at rest, and so it is. @throws when it is not in time, with what there is instead */
  async settled(what: string, reached: (status: Status) => boolean = () => true, patienceMs = PATIENCE_MS): Promise<Status> {
    let status: Status | undefined;
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline;) {
      await sleep(200);
      status = await this.status().catch(() => undefined);
      if (status?.settled === true && reached(status)) return status;
    }
    throw new Error(`${what}: not within ${patienceMs} ms\n${(await this.trySystole('status')).stdout}\n${await this.lastOperations()}`);
  }

  /** Newest operations, one a line. */
  async lastOperations(): Promise<string> {
    return (await this.trySystole('events', '--limit', '60')).stdout;
  }

  /** Recorded operations as the CIB's history has them: `promote db on alpha: 0`. */
  async operations(): Promise<readonly string[]> {
    const events: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 1000, ...(cursor === undefined ? {} : { cursor }) };
      const page = unwrap(await this.api.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster: this.id }, query } }));
      for (const { type, data } of page.items) {
        const { operation, intervalMs, resource, node, rc } = data as Record<string, unknown>;
        if (type === 'OperationRecorded')
          events.push(`${String(operation)}_${String(intervalMs)} ${String(resource)} on ${String(node)}: ${String(rc)}`);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return events;
  }
}

type Parts = [SystoleServer, PowerSwitch, LabMachine, string, ReadonlyMap<string, LabMachine>, SystoleClient];

async function setUp(
  options: WorkloadLabOptions,
  undo: (() => Promise<unknown>)[],
  make: (...parts: Parts) => WorkloadLab,
): Promise<WorkloadLab> {
  const directory = await mkdtemp(join(tmpdir(), 'systole-workload-'));
  // PostgreSQL runs as another user.
  await chmod(directory, 0o755);
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const network = await Network.create();
  undo.push(() => network.dispose());
  const machines = new Map<string, LabMachine>();
  const server = new SystoleServer({
    ...{ host: network.address, port: await freePort(), dataDirectory: join(directory, 'data'), adminToken: ADMIN_TOKEN },
    ...{ leaseMs: options.leaseMs ?? LEASE_MS, logFile: join(directory, 'server.log') },
  });
  undo.push(() => server.stop());
  await server.start();
  const power = await PowerSwitch.open(network.address, machines);
  undo.push(() => {
    power.close();
    return Promise.resolve();
  });

  const api = createSystoleClient({ baseUrl: server.url, token: ADMIN_TOKEN });
  const { remoteNodes = [] } = options;
  const cib = withFencing(options.cib ?? (await exampleOf(options.example ?? '')), power.url, [...NODES, ...remoteNodes]);
  const made = unwrap(await api.POST('/v1/clusters', { body: { name: options.example ?? 'workload', cib } }));
  if ('dryRun' in made) throw new Error('the server only previewed the cluster, though it was to be made');

  const addresses = new Map([['outside', '192.0.2.1'], ...addressesOf(NODES, 11), ...addressesOf(remoteNodes, 21)]);
  const hosts = ['127.0.0.1 localhost', ...[...addresses].map(([name, address]) => `${address} ${name}`), ''].join('\n');
  const add = async (name: string, boots?: ConstructorParameters<typeof LabMachine>[1]): Promise<LabMachine> => {
    const machine = await network.addMachine(name);
    const built = new LabMachine(
      { machine, directory: join(directory, name), hosts, addresses: [`${machine.address}/24`, `${addresses.get(name) ?? ''}/24`] },
      boots,
    );
    await built.build();
    undo.push(() => built.dispose());
    return built;
  };
  const outside = await add('outside');
  await outside.switchOn();
  for (const name of [...NODES, ...remoteNodes]) {
    const command = [...agentCommand(server.url, name), ...(remoteNodes.includes(name) ? ['--remote'] : [])];
    machines.set(name, await add(name, { command, final: FINAL_EXIT_CODES }));
  }
  const nodes = [...machines.values()];
  await onEach(nodes, async (node) => {
    await node.switchOn({ withService: false });
    await node.run('umask 077; mkdir -p /etc/systole-agent; cat >/etc/systole-agent/token', await agentToken(api, made.id, node.name));
  });
  await options.prepare?.(nodes);
  for (const node of nodes) node.startService();
  return make(server, power, outside, made.id, machines, api);
}

/** All to their end, whatever becomes of one. @throws what the first one did */
export async function onEach(nodes: readonly LabMachine[], act: (node: LabMachine) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(nodes.map(act));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason instanceof Error ? outcome.reason : new Error(String(outcome.reason));
  }
}

async function agentToken(api: SystoleClient, cluster: string, node: string): Promise<string> {
  const issued = unwrap(await api.POST('/v1/tokens', { body: { role: 'agent', cluster, node, name: `agent-${node}` } }));
  if (!('secret' in issued)) throw new Error(`no secret came with the token of ${node}`);
  return issued.secret;
}

function agentCommand(serverUrl: string, name: string): readonly string[] {
  return [
    ...[process.execPath, agentProgram(), '--server', serverUrl, '--node', name],
    ...['--token-file', '/etc/systole-agent/token', '--fence-dir', join(LAB_AGENTS, 'fence')],
    ...['--ocf-root', join(LAB_AGENTS, 'ocf'), '--ocf-root', join(checkout, 'agents/ocf')],
  ];
}

async function exampleOf(name: string): Promise<string> {
  return readFile(join(checkout, 'examples/workloads', `${name}.cib.xml`), 'utf8');
}

function addressesOf(names: readonly string[], first: number): readonly [string, string][] {
  return names.map((name, index) => [name, `192.0.2.${first + index}`]);
}

function withFencing(cib: string, url: string, targets: readonly string[]): string {
  const device = `<primitive id="fencing" class="stonith" type="fence_lab_switch"><instance_attributes id="fencing-p">
    <nvpair id="fencing-p-url" name="url" value="${url}"/><nvpair id="fencing-p-hosts" name="pcmk_host_list" value="${targets.join(' ')}"/>
    </instance_attributes></primitive>`;
  return cib.replace('<resources>', `<resources>${device}`);
}

async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}

/** Where a resource, or an instance of a clone, is active, in which role: `{ alpha: 'Promoted', bravo: 'Unpromoted' }`. */
export function rolesOf(status: Status, id: string): Readonly<Record<string, string>> {
  const found = within(status.resources).filter((resource) => resource.id === id || resource.id.startsWith(`${id}:`));
  const active = found.flatMap((resource) => within([resource])).filter(({ children }) => children.length === 0);
  return Object.fromEntries(active.flatMap(({ activeOn, role }) => activeOn.map((node) => [node, role])));
}

/** Where a resource is active. */
export function placesOf(status: Status, id: string): readonly string[] {
  return Object.keys(rolesOf(status, id)).sort();
}

/** Where it is promoted; undefined: not on one node. */
export function promotedOn(status: Status, id: string): string | undefined {
  const promoted = Object.entries(rolesOf(status, id)).flatMap(([node, role]) => (role === 'Promoted' ? [node] : []));
  return promoted.length === 1 ? promoted[0] : undefined;
}

function within(resources: readonly Resource[]): readonly Resource[] {
  return resources.flatMap((resource) => [resource, ...within(resource.children)]);
}
