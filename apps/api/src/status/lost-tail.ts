import { Injectable } from '@nestjs/common';
import type { ClusterEvent, ClusterState, EpochBegan } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import type { SafetyNoteDto } from './status.dto.js';

/** How long it is told, ms. */
const TOLD_FOR_MS = 86_400_000;
/** Clusters of which it is remembered. */
const KEPT = 64;
/** Losses of a day that are told one by one: newest first. */
const MOST_TOLD = 10;

/** An epoch that began, and what was lost before it. */
export interface Loss {
  /** Stream version of its EpochBegan. */
  readonly version: number;
  /** ISO time of it. */
  readonly since: string;
  readonly began: Pick<EpochBegan['data'], 'previous' | 'witness' | 'by'>;
}

interface Remembered {
  readonly epoch: string;
  /** In the order in which they were found. */
  readonly losses: readonly Loss[];
}

/**
 * What an event log lost when it went back in time, for a day after that: nobody does again by himself what was ordered then. A second loss makes nothing good
 * of the first one: each is told.
 */
@Injectable()
export class LostTail {
  readonly #remembered = new Map<string, Remembered>();

  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /**
   * Of the last day. The log is asked once for each epoch.
   *
   * @param now epoch ms
   */
  async notes(clusterId: string, { epoch }: ClusterState, now: number): Promise<readonly SafetyNoteDto[]> {
    if (epoch === undefined || now - Date.parse(epoch.since) > TOLD_FOR_MS) return [];
    const known = this.#remembered.get(clusterId);
    if (known?.epoch === epoch.id) return lostNotes(known.losses, now);
    const losses = await this.#losses(clusterId, epoch.version);
    this.#remembered.delete(clusterId);
    this.#remembered.set(clusterId, { epoch: epoch.id, losses });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= KEPT) break;
      this.#remembered.delete(oldest);
    }
    return lostNotes(losses, now);
  }

  async #losses(streamId: string, upTo: number): Promise<readonly Loss[]> {
    const found = await this.store.query({
      streamId,
      types: ['EpochBegan'],
      direction: 'backward',
      afterVersion: upTo + 1,
      limit: MOST_TOLD,
    });
    return found
      .flatMap((event) => (event.type === 'EpochBegan' ? [{ version: event.version, since: event.occurredAt, began: event.data }] : []))
      .reverse();
  }
}

/** @param now epoch ms */
export function lostNotes(losses: readonly Loss[], now: number): readonly SafetyNoteDto[] {
  return losses
    .filter(({ since }) => now - Date.parse(since) <= TOLD_FOR_MS)
    .map((loss) => ({ code: 'log-went-back', text: `${lossText(loss, losses)}. ${AGAIN}.` }));
}

const AGAIN = 'What was ordered then has to be ordered again, and what was told to somebody then may not be so';

/** @param all in the order in which they were found */
function lossText({ version, since, began: { previous, witness, by } }: Loss, all: readonly Loss[]): string {
  const found = `The event log went back in time, which was found at ${since}`;
  if (witness === undefined) return `${found}: what was recorded last before that may be lost, and nobody knows how much`;
  const shown = witness.version;
  // What a node had told by its word alone before this proved it: that epoch began where the log ended then.
  const isOver = witness.epoch !== previous;
  const told = isOver ? all.find((other) => other.version < version && other.began.previous === witness.epoch) : undefined;
  const from = told?.version ?? version;
  const which = shown > from ? `versions ${String(from)} to ${String(shown)}` : `version ${String(shown)}, and perhaps others around it,`;
  const before =
    !isOver || told !== undefined
      ? ''
      : '; that was after a loss of which nothing is left in the log either, as it lost with that what it had noted of it: look for it in exports and archives';
  return `${found}: ${which} (as far as was told to ${by}) are lost${before}`;
}
