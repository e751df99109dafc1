import { Injectable } from '@nestjs/common';
import type { ClusterEvent, ClusterState, EpochBegan } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import type { SafetyNoteDto } from './status.dto.js';

/** How long it is told, ms. */
const TOLD_FOR_MS = 86_400_000;
/** Clusters of which it is remembered. */
const KEPT = 64;

interface Remembered {
  readonly epoch: string;
  readonly began: EpochBegan['data'] | undefined;
}

/** What an event log lost when it went back in time, for a day after that: nobody does again by himself what was ordered then. */
@Injectable()
export class LostTail {
  readonly #remembered = new Map<string, Remembered>();

  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /**
   * Of the present epoch. The log is asked once for each.
   *
   * @param now epoch ms
   */
  async notes(clusterId: string, { epoch }: ClusterState, now: number): Promise<readonly SafetyNoteDto[]> {
    if (epoch === undefined || now - Date.parse(epoch.since) > TOLD_FOR_MS) return [];
    const known = this.#remembered.get(clusterId);
    if (known?.epoch === epoch.id) return lostNotes(epoch, known.began);
    const query = { streamId: clusterId, types: ['EpochBegan'], afterVersion: epoch.version - 1, limit: 1 };
    const [event] = await this.store.query(query);
    const began = event?.type === 'EpochBegan' ? event.data : undefined;
    this.#remembered.delete(clusterId);
    this.#remembered.set(clusterId, { epoch: epoch.id, began });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= KEPT) break;
      this.#remembered.delete(oldest);
    }
    return lostNotes(epoch, began);
  }
}

/** @param began what began the epoch; undefined when it can't be read */
export function lostNotes(
  { version, since }: NonNullable<ClusterState['epoch']>,
  began: Pick<EpochBegan['data'], 'witness' | 'by'> | undefined,
): readonly SafetyNoteDto[] {
  const again = 'What was ordered then has to be ordered again, and what was told to somebody then may not be so';
  const shown = began?.witness?.version;
  const lost =
    shown === undefined || began === undefined
      ? 'what was recorded last before that may be lost, and nobody knows how much'
      : `${shown > version ? `versions ${String(version)} to ${String(shown)}` : `version ${String(shown)}, and perhaps others around it,`} (as far as was told to ${began.by}) are lost`;
  return [{ code: 'log-went-back', text: `The event log went back in time, which was found at ${since}: ${lost}. ${again}.` }];
}
