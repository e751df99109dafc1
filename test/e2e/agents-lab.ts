import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSystoleClient, type SystoleClient } from '@systole/api-client';
import type { ClusterEvent } from '@systole/cluster';
import { startEmbedded } from '@systole/embedded';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster } from '@systole/examples';
import { tryToChange } from '../chaos/lab/configuration-change.js';

const ADMIN_TOKEN = 'an-admin-token-for-this-very-test';
const PATIENCE_MS = 60_000;

/** What the events carry, by type. */
type EventData = { readonly [Event in ClusterEvent as Event['type']]: Event['data'] };
type View = Awaited<ReturnType<DemoCluster['view']>>;

/**
 * What most labs run, as entries of `--allow`. Nodes have each agent that may run there describe itself once; with all that Debian has (two hundred) that
 * takes each lab eleven seconds of processor time.
 */
export const LAB_AGENTS: readonly string[] = [
  'ocf:heartbeat:Dummy',
  'ocf:pacemaker',
  'ocf:systole',
  'ocf:test',
  'stonith:fence_systole*',
  'stonith:fence_watchdog',
  'alert',
];

export interface LabOptions {
  /** XML of `resources`; `@ORDERS@` stands for the directory of the orders for `ocf:test:Scripted`. */
  readonly resources: string;
  readonly constraints?: string;
  /** XML of what follows the constraints. */
  readonly more?: string;
  /** `nvpair`s of the cluster options. */
  readonly options?: string;
  readonly fencing: boolean;
  readonly leaseMs: number;
  /** Names of remote and guest nodes, whose agents run, too. */
  readonly remoteNodes?: readonly string[];
  /** Names of guest nodes: what starts their agents is theirs to say. */
  readonly guestNodes?: readonly string[];
  /** What may run on the nodes; default: `LAB_AGENTS`. */
  readonly allow?: readonly string[];
  /** Further flags of the agent of a node. @param serverUrl where the server is */
  readonly flagsOf?: (node: string, serverUrl: string) => readonly string[];
}

/** A primitive of `ocf:test:Scripted`, monitored each second. */
export function scripted(id: string, inner = ''): string {
  return `<primitive id="${id}" class="ocf" provider="test" type="Scripted">
    <instance_attributes id="${id}-p"><nvpair id="${id}-p-directory" name="directory" value="@ORDERS@/${id}"/></instance_attributes>${inner}
    <operations><op id="${id}-monitor" name="monitor" interval="1s" timeout="5s"/><op id="${id}-stop" name="stop" interval="0s" timeout="5s"/></operations>
  </primitive>`;
}

/** A primitive that goes to alpha when it may. */
export function prefersAlpha(id: string): string {
  return `<rsc_location id="${id}-on-alpha" rsc="${id}" node="alpha" score="100"/>`;
}

/** Systole in this process, and three agents as processes of their own. */
export class AgentsLab {
  private constructor(
    readonly cluster: DemoCluster,
    readonly client: SystoleClient,
    /** Of the server. */
    readonly url: string,
    /** Directory of the orders for `ocf:test:Scripted`. */
    readonly orders: string,
    private readonly cleanups: (() => Promise<unknown>)[],
  ) {}

  static async start({
    resources,
    constraints = '',
    more = '',
    options = '',
    fencing,
    leaseMs,
    remoteNodes = [],
    guestNodes = [],
    allow = LAB_AGENTS,
    flagsOf,
  }: LabOptions): Promise<AgentsLab> {
    const cleanups: (() => Promise<unknown>)[] = [];
    try {
      const directory = await mkdtemp(join(tmpdir(), 'systole-agents-'));
      cleanups.push(() => rm(directory, { recursive: true, force: true }));
      // Programs of alerts run as another account, and find the agents' run directories below it.
      await chmod(directory, 0o755);
      const orders = join(directory, 'orders');
      const database = await createScratchDatabase();
      cleanups.push(() => database.drop());
      const systole = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN_TOKEN, leaseMs });
      cleanups.push(() => systole.stop());
      const client = createSystoleClient({ baseUrl: systole.url, token: ADMIN_TOKEN });
      const cib = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
        <crm_config><cluster_property_set id="cps">
          <nvpair id="cps-fencing" name="stonith-enabled" value="${String(fencing)}"/>
          <nvpair id="cps-startup" name="startup-fencing" value="false"/>${options}
        </cluster_property_set></crm_config>
        <nodes><node id="1" uname="alpha"/><node id="2" uname="bravo"/><node id="3" uname="charlie"/></nodes>
        <resources>${resources.replaceAll('@ORDERS@', orders)}</resources><constraints>${constraints}</constraints>${more}
      </configuration></cib>`;
      const ocfRoots = [fileURLToPath(new URL('agents/ocf', import.meta.url))];
      const allowed = ['--allow', allow.join(',')];
      const cluster = await DemoCluster.create({
        client,
        serverUrl: systole.url,
        directory,
        cib,
        ocfRoots,
        remoteNodes,
        guestNodes,
        flagsOf: (node) => [...allowed, ...(flagsOf?.(node, systole.url) ?? [])],
      });
      cleanups.push(() => cluster.stop());
      return new AgentsLab(cluster, client, systole.url, orders, cleanups);
    } catch (error) {
      for (const cleanup of cleanups.reverse()) await cleanup();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }

  /** Tells `ocf:test:Scripted` what an action of a resource returns from now on; undefined: what is true. */
  async order(resource: string, action: string, rc: number | 'hang' | undefined): Promise<void> {
    const directory = join(this.orders, resource);
    await mkdir(directory, { recursive: true });
    const file = join(directory, action);
    if (rc === undefined) {
      await rm(file, { force: true });
      return;
    }
    // In one piece: an agent that finds it empty exits with something else.
    await writeFile(`${file}.new`, `${rc}\n`);
    await rename(`${file}.new`, file);
  }

  /** @throws when it is not so in time, with what the cluster looks like instead */
  async until(what: string, reached: (view: View) => boolean, patienceMs = PATIENCE_MS): Promise<View> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const view = await this.cluster.view();
      if (reached(view)) return view;
      if (Date.now() > deadline) throw new Error(`${what}: not within ${patienceMs} ms; ${JSON.stringify(view)}`);
      await sleep(100);
    }
  }

  /** Rewrites the configuration as XML. @throws when it is refused */
  async configure(change: (xml: string) => string): Promise<void> {
    const written = await tryToChange(this.client, this.cluster.id, change, 'test');
    if (typeof written !== 'number') throw new Error(`the configuration is ${written}`);
  }

  /** The cluster is at rest, and so it is. */
  async settled(what: string, reached: (view: View) => boolean = () => true): Promise<View> {
    return this.until(what, (view) => view.settled && reached(view));
  }

  /** Data of the events of one type after a version, oldest first. */
  async events<T extends keyof EventData>(type: T, after = 0): Promise<readonly EventData[T][]> {
    const events = await this.cluster.eventsAfter(after);
    return events.flatMap(({ event }) => (event.type === type ? [event.data as EventData[T]] : []));
  }

  /** Operations after a version: `start_0 db on alpha: 0`. */
  async operations(after = 0): Promise<readonly string[]> {
    const recorded = await this.events('OperationRecorded', after);
    return recorded.map(({ operation, intervalMs, resource, node, rc }) => `${operation}_${intervalMs} ${resource} on ${node}: ${rc}`);
  }
}

/** Where a resource is active. */
export function placesOf(view: View, id: string): readonly string[] {
  return view.resources.find((resource) => resource.id === id)?.activeOn ?? [];
}

/** Whether it is active on one node, this one. */
export function isOn(id: string, node: string): (view: View) => boolean {
  return (view) => placesOf(view, id).join() === node;
}

/** Whether it is active on one node, any other. */
export function isElsewhere(id: string, node: string): (view: View) => boolean {
  return (view) => placesOf(view, id).length === 1 && !placesOf(view, id).includes(node);
}
