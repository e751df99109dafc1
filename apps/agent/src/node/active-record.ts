import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { ActiveResource, JournalState } from '@systole/node-session';
import type { OnLeaseLoss } from '@systole/protocol';
import { writeWhole } from './whole-file.js';

/** What may be running in this boot, and what the server wants done when the lease is lost. */
export interface Active {
  readonly bootId: string;
  readonly active: readonly ActiveResource[];
  readonly onLeaseLoss?: OnLeaseLoss;
  /** What was set on this node in its place, and the server knows. */
  readonly announced?: OnLeaseLoss;
  /** History ids of what a lost lease must not stop. */
  readonly unmanaged: readonly string[];
}

/** What of the journal is kept. */
const KEPT = ['active', 'onLeaseLoss', 'announced', 'unmanaged'] as const satisfies readonly (keyof JournalState)[];

/**
 * A second record of what runs here, beside the journal and in another directory (which a reboot empties): should the journal be wiped or damaged while the
 * server is away, the agent still knows what to stop. It follows the journal; a write that fails costs nothing but this, and is tried again with what the journal says next.
 */
export class ActiveRecord {
  private written: Pick<JournalState, (typeof KEPT)[number]> | undefined;
  private next: JournalState | undefined;
  private writing = false;
  private told = false;

  /** @param onFailure hears that it could not be written, once until it can be again */
  constructor(
    private readonly path: string,
    private readonly bootId: string,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Undefined when there is none of this boot that can be read. */
  async read(): Promise<Active | undefined> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const [checksum, json = ''] = text.split('\n');
    if (checksum !== String(crc32(json))) return undefined;
    // The checksum vouches that these are the bytes that an agent wrote.
    const found = JSON.parse(json) as Active;
    return found.bootId === this.bootId ? found : undefined;
  }

  /** The newest state wins; states between two writes are not written. */
  follow(state: JournalState): void {
    const { written } = this;
    if (written !== undefined && KEPT.every((part) => written[part] === state[part])) return;
    this.written = state;
    this.next = state;
    if (!this.writing) void this.write();
  }

  private async write(): Promise<void> {
    this.writing = true;
    for (let state = this.next; state !== undefined; state = this.next) {
      this.next = undefined;
      const { active, onLeaseLoss, announced, unmanaged } = state;
      const content: Active = {
        bootId: this.bootId,
        active: [...active.values()],
        ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
        ...(announced === undefined ? {} : { announced }),
        unmanaged: [...unmanaged],
      };
      const json = JSON.stringify(content);
      // Parameters of resources contain passwords: nobody but the owner reads it.
      try {
        await writeWhole(this.path, `${crc32(json)}\n${json}\n`, 0o600);
        this.told = false;
      } catch (error) {
        this.written = undefined;
        if (!this.told) this.onFailure(error);
        this.told = true;
      }
    }
    this.writing = false;
  }
}
