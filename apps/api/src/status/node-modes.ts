import { Injectable } from '@nestjs/common';
import { parseBoolean } from '@systole/cib';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { EventStore, type RecordedEvent } from '@systole/event-store';
import type { NodeModeDto } from './status.dto.js';

const MODES = ['standby', 'maintenance'] as const;
type Mode = (typeof MODES)[number];

/** Events of a mode that are read at once; what was set before so many newer ones is shown without who set it. */
const READ = 500;
/** Clusters of which it is remembered. */
const KEPT = 64;

/** By node name: the last that was said of a mode. */
type Said = ReadonlyMap<string, NodeModeDto | 'cleared'>;

interface Remembered {
  readonly version: number;
  readonly epoch: string | undefined;
  readonly said: Said;
}

/** By node name. */
export type ModesByNode = ReadonlyMap<string, readonly NodeModeDto[]>;

/** Who put nodes in standby or maintenance, and why: the last event of that attribute. */
@Injectable()
export class NodeModes {
  readonly #remembered = new Map<string, Remembered>();

  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /**
   * At present. The log is asked only for modes that some node is in, and from then on only for what is new.
   *
   * @param nodes as they are seen
   * @returns without what came with the configuration, or by a rule
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
      const said = await this.#said(clusterId, state, mode);
      for (const { name } of inMode) {
        const last = said.get(name);
        if (last !== undefined && last !== 'cleared') found.set(name, [...(found.get(name) ?? []), last]);
      }
    }
    return found;
  }

  async #said(clusterId: string, { version, epoch }: ClusterState, mode: Mode): Promise<Said> {
    const key = `${clusterId}/${mode}`;
    const known = this.#remembered.get(key);
    const usable = known !== undefined && known.epoch === epoch?.id && known.version <= version ? known : undefined;
    if (usable?.version === version) return usable.said;
    const query = { streamId: clusterId, types: ['NodeAttributeSet', 'NodeAttributeCleared'], subject: mode, limit: READ };
    const newer = usable === undefined ? undefined : await this.store.query({ ...query, afterVersion: usable.version });
    const said =
      newer === undefined || newer.length === READ
        ? saidBy(mode, (await this.store.query({ ...query, direction: 'backward' })).toReversed())
        : saidBy(mode, newer, usable?.said);
    this.#remembered.delete(key);
    this.#remembered.set(key, { version, epoch: epoch?.id, said });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= KEPT * MODES.length) break;
      this.#remembered.delete(oldest);
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
    said.set(node, on ? { mode, by: event.actor, at: event.occurredAt, ...(reason === undefined ? {} : { reason }) } : 'cleared');
  }
  return said;
}
