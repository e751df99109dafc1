import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwrap, unwrapJson, type SystoleClient } from '@systole/api-client';
import type { ClusterEvent, OperationRecorded } from '@systole/cluster';
import { checkout } from './checkout.js';
import { DemoNode } from './demo-node.js';
import type { ClusterView } from './live-table.js';
import { viewOf } from './view-of-status.js';

/** An event of the cluster as the API lists it. */
export interface DemoEvent {
  readonly version: number;
  readonly actor: string;
  readonly event: ClusterEvent;
}

export interface DemoClusterOptions {
  readonly client: SystoleClient;
  readonly serverUrl: string;
  /** Everything of the nodes lies below it. */
  readonly directory: string;
  /** CIB to import; default: `examples/demo.cib.xml`. `@PIDDIR@` in it stands for the directory of the nodes' pid files. */
  readonly cib?: string;
  readonly name?: string;
  /** Directories of further OCF agents, beside those of the checkout. */
  readonly ocfRoots?: readonly string[];
  /** Names of remote and guest nodes that have an agent, too, beside {@link NODE_NAMES}. */
  readonly remoteNodes?: readonly string[];
  /** Names of guest nodes, whose agents something else starts (`DemoNode.writeStarter`). */
  readonly guestNodes?: readonly string[];
  /** Further flags of the agent of a node. */
  readonly flagsOf?: (node: string) => readonly string[];
}

export const NODE_NAMES = ['alpha', 'bravo', 'charlie'] as const;

/** A cluster of three nodes on this machine, seen and steered through the HTTP API alone. */
export class DemoCluster {
  private constructor(
    readonly id: string,
    private readonly client: SystoleClient,
    readonly nodes: readonly DemoNode[],
  ) {}

  /** Creates the cluster with its configuration and its nodes' tokens, and switches the nodes on. */
  static async create(options: DemoClusterOptions): Promise<DemoCluster> {
    const { client, serverUrl, directory } = options;
    const name = options.name ?? 'demo';
    const pidDirectory = join(directory, 'pids');
    await mkdir(pidDirectory, { recursive: true });
    const template = options.cib ?? (await readFile(join(checkout, 'examples/demo.cib.xml'), 'utf8'));
    const created = await client.POST('/v1/clusters', { body: { name, cib: template.replaceAll('@PIDDIR@', pidDirectory) } });
    const made = unwrap(created);
    if ('dryRun' in made) throw new Error(`the server only previewed the cluster ${name}, though it was to be made`);
    const { id } = made;
    const nodes: DemoNode[] = [];
    for (const node of [...NODE_NAMES, ...(options.remoteNodes ?? []), ...(options.guestNodes ?? [])]) {
      const issued = await client.POST('/v1/tokens', { body: { role: 'agent', cluster: id, node, name: `agent-${node}` } });
      const token = unwrap(issued);
      const secret = 'secret' in token ? token.secret : undefined;
      if (secret === undefined) throw new Error(`no secret came with the token of ${node}`);
      const nodeDirectory = join(directory, node);
      await mkdir(nodeDirectory, { recursive: true });
      nodes.push(
        new DemoNode({
          name: node,
          serverUrl,
          token: secret,
          directory: nodeDirectory,
          pidDirectory,
          flags: options.flagsOf?.(node) ?? [],
          ...(options.ocfRoots === undefined ? {} : { ocfRoots: options.ocfRoots }),
        }),
      );
    }
    const cluster = new DemoCluster(id, client, nodes);
    for (const node of nodes) if (options.guestNodes?.includes(node.name) !== true) await node.start();
    return cluster;
  }

  node(name: string): DemoNode {
    const found = this.nodes.find((node) => node.name === name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return found;
  }

  async view(): Promise<ClusterView> {
    return viewOf(unwrapJson(await this.client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: this.id } } })));
  }

  async version(): Promise<number> {
    return (await this.view()).version;
  }

  /** All events after a version, oldest first. */
  async eventsAfter(version: number): Promise<readonly DemoEvent[]> {
    const events: DemoEvent[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 1000, ...(cursor === undefined ? {} : { cursor }) };
      const page = unwrap(await this.client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster: this.id }, query } }));
      for (const item of page.items) {
        // The API serves the domain's events as they are; their shapes are the domain's.
        if (item.version > version)
          events.push({ version: item.version, actor: item.actor, event: { type: item.type, data: item.data } as ClusterEvent });
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return events;
  }

  async operationsAfter(version: number): Promise<readonly OperationRecorded['data'][]> {
    return (await this.eventsAfter(version)).flatMap(({ event }) => (event.type === 'OperationRecorded' ? [event.data] : []));
  }

  async setStandby(node: string, standby: boolean): Promise<void> {
    const params = { path: { cluster: this.id, node } };
    unwrap(
      standby
        ? await this.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/standby', { params })
        : await this.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/unstandby', { params }),
    );
  }

  async cleanUp(resource: string): Promise<void> {
    unwrap(
      await this.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/cleanup', {
        params: { path: { cluster: this.id, resource } },
        body: {},
      }),
    );
  }

  /** Stops the nodes, the way a machine is shut down in a hurry: no node waits for the cluster to move its resources. */
  async stop(): Promise<void> {
    for (const node of this.nodes) node.kill();
    await Promise.all(this.nodes.map((node) => node.killStarted()));
    await Promise.all(this.nodes.map((node) => node.whenDown()));
  }
}
