import { Injectable } from '@nestjs/common';
import { parseBoolean } from '@systole/cib';
import { configuredNodes, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { EventStore, type RecordedEvent } from '@systole/event-store';
import { modesSet } from './modes-set.js';
import type { NodeModeDto } from './status.dto.js';

const MODES = ['standby', 'maintenance'] as const;
type Mode = (typeof MODES)[number];

/** Events of a mode that are read at once; what was set before so many newer ones is shown without who set it. */
const READ = 500;
/** Changes of the configuration, which may be large, that are read at once; and how often, before it is left open who set what they may have set. */
const READ_OF_CONFIGURATION = 20;
const READS_OF_CONFIGURATION = 25;
/** Clusters of which it is remembered. */
const KEPT = 64;

/** The last that was said of a mode of a node; `by` is undefined where that ended it. */
interface LastWord {
  readonly version: number;
  readonly by: NodeModeDto | undefined;
}

/** By node name. */
type Said = ReadonlyMap<string, LastWord>;

interface Remembered {
  readonly version: number;
  readonly epoch: string | undefined;
  readonly said: Said;
}

/** By node name. */
export type ModesByNode = ReadonlyMap<string, readonly NodeModeDto[]>;

/** Events of a node that is down that are read: the newest of them brought it down, and among those before it somebody may have asked for that. */
const READ_OF_DOWN = 100;
const ENDS = ['NodeConfirmedDown', 'FencingCompleted', 'NodeJoined', 'NodeAttributeSet'] as const;

/** Who put nodes in standby or maintenance, fenced them or confirmed that they are down, and why: the last event of that. */
@Injectable()
export class NodeModes {
  readonly #remembered = new Map<string, Remembered>();

  /** By cluster, node and since when it is down. */
  readonly #downs = new Map<string, NodeModeDto | undefined>();

  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /**
   * At present. The log is asked only for modes that some node is in, and from then on only for what is new.
   *
   * @param nodes as they are seen
   * @returns without what the cluster was made with, or a rule did
   */
  async of(
    clusterId: string,
    state: ClusterState,
    nodes: readonly { readonly name: string; readonly standby: boolean; readonly maintenance: boolean }[],
  ): Promise<ModesByNode> {
    const found = new Map<string, readonly NodeModeDto[]>();
    for (const mode of MODES) {
      const inMode = nodes.filter((node) => node[mode]);
      if (inMode.length === 0) continue;
      const said = await this.#said(clusterId, state, mode, new Set(inMode.map(({ name }) => name)));
      for (const { name } of inMode) {
        const by = said.get(name)?.by;
        if (by !== undefined) found.set(name, [...(found.get(name) ?? []), by]);
      }
    }
    for (const { name, membership, since } of Object.values(state.nodes)) {
      if (membership !== 'down') continue;
      const down = await this.#down(clusterId, name, since);
      if (down !== undefined) found.set(name, [...(found.get(name) ?? []), down]);
    }
    return found;
  }

  /** Asked of the log once for each time that a node goes down. */
  async #down(clusterId: string, node: string, since: string): Promise<NodeModeDto | undefined> {
    const key = `${clusterId}/${node}/${since}`;
    if (!this.#downs.has(key)) {
      const query = { streamId: clusterId, types: ENDS, subject: node, direction: 'backward', limit: READ_OF_DOWN } as const;
      this.#downs.set(key, downBy(node, since, await this.store.query(query)));
      for (const oldest of this.#downs.keys()) {
        if (this.#downs.size <= KEPT * MODES.length) break;
        this.#downs.delete(oldest);
      }
    }
    return this.#downs.get(key);
  }

  /** @param inMode names of the nodes that are in it */
  async #said(clusterId: string, state: ClusterState, mode: Mode, inMode: ReadonlySet<string>): Promise<Said> {
    const { version, epoch } = state;
    const key = `${clusterId}/${mode}`;
    const known = this.#remembered.get(key);
    const usable = known !== undefined && known.epoch === epoch?.id && known.version <= version ? known : undefined;
    if (usable?.version === version) return usable.said;
    const query = { streamId: clusterId, types: ['NodeAttributeSet', 'NodeAttributeCleared'], subject: mode, limit: READ };
    const newer = usable === undefined ? undefined : await this.store.query({ ...query, afterVersion: usable.version });
    const all =
      newer === undefined || newer.length === READ
        ? saidBy(mode, (await this.store.query({ ...query, direction: 'backward' })).toReversed())
        : saidBy(mode, newer, usable?.said);
    // Nobody put a node in a mode that it is not in: what is remembered of it would only be wrong later.
    const relevant = new Map([...all].filter(([node]) => inMode.has(node)));
    const said = await this.#withConfiguration(clusterId, state, mode, inMode, relevant, usable?.version ?? 0);
    this.#remembered.delete(key);
    this.#remembered.set(key, { version, epoch: epoch?.id, said });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= KEPT * MODES.length) break;
      this.#remembered.delete(oldest);
    }
    return said;
  }

  /**
   * What changes of the configuration have said since, newest first, as far back as it matters.
   *
   * @param since version up to which they are in `said`
   */
  async #withConfiguration(
    streamId: string,
    { cib, version }: ClusterState,
    mode: Mode,
    inMode: ReadonlySet<string>,
    attributes: Said,
    since: number,
  ): Promise<Said> {
    const names = new Map(configuredNodes(cib).map(({ id, name }) => [id, name]));
    const said = new Map(attributes);
    const open = new Set(inMode);
    let before = version + 1;
    for (let reads = 0; open.size > 0; reads += 1) {
      // What lies further back may have ended what an attribute said before: then nobody is named.
      if (reads === READS_OF_CONFIGURATION) {
        for (const node of open) said.delete(node);
        break;
      }
      const query = { streamId, types: ['ConfigurationChanged'], direction: 'backward', limit: READ_OF_CONFIGURATION } as const;
      const events = await this.store.query({ ...query, afterVersion: before });
      for (const event of events) {
        before = event.version;
        for (const node of open) if (event.version <= Math.max(since, said.get(node)?.version ?? 0)) open.delete(node);
        if (open.size === 0 || event.type !== 'ConfigurationChanged') continue;
        for (const [id, on] of modesSet(mode, event.data.changes)) {
          const node = names.get(id);
          if (node === undefined || !open.delete(node)) continue;
          said.set(node, { version: event.version, by: on ? modeDto(mode, event, event.data.reason) : undefined });
        }
      }
      if (events.length < READ_OF_CONFIGURATION) break;
    }
    return said;
  }
}

/** @param events oldest first */
function saidBy(mode: Mode, events: readonly RecordedEvent<ClusterEvent>[], before: Said = new Map()): Said {
  const said = new Map(before);
  for (const event of events) {
    if (event.type !== 'NodeAttributeSet' && event.type !== 'NodeAttributeCleared') continue;
    // A node may be called like a mode.
    if (event.data.name !== mode) continue;
    const { node, reason } = event.data;
    const on = event.type === 'NodeAttributeSet' && parseBoolean(event.data.value) === true;
    said.set(node, { version: event.version, by: on ? modeDto(mode, event, reason) : undefined });
  }
  return said;
}

/**
 * By whom and why a node that is down is so.
 *
 * @param since as the state says @param events that concern it, newest first
 */
function downBy(node: string, since: string, events: readonly RecordedEvent<ClusterEvent>[]): NodeModeDto | undefined {
  const end = events.findIndex((event) => event.occurredAt === since && isEnd(node, event));
  const ended = events[end];
  if (ended?.type === 'NodeConfirmedDown') return modeDto('confirmed-down', ended, ended.data.reason);
  if (ended === undefined) return undefined;
  for (const event of events.slice(end + 1)) {
    // Of another life of the node.
    if (isEnd(node, event) || (event.type === 'NodeJoined' && event.data.node === node)) break;
    if (event.type === 'NodeAttributeSet' && event.data.node === node && event.data.name === 'terminate')
      return modeDto('fenced', event, event.data.reason, ended.occurredAt);
  }
  return modeDto('fenced', ended, undefined);
}

function isEnd(node: string, event: RecordedEvent<ClusterEvent>): boolean {
  if (event.type === 'NodeConfirmedDown') return event.data.node === node;
  return (
    event.type === 'FencingCompleted' &&
    event.data.target === node &&
    event.data.action !== 'on' &&
    (event.data.confirmed ?? event.data.outcome === 'succeeded')
  );
}

function modeDto(
  mode: NodeModeDto['mode'],
  { actor, occurredAt }: { readonly actor: string; readonly occurredAt: string },
  reason: string | undefined,
  at = occurredAt,
): NodeModeDto {
  return { mode, by: actor, at, ...(reason === undefined ? {} : { reason }) };
}
