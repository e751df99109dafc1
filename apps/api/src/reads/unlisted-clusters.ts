import { Injectable } from '@nestjs/common';
import { ClusterCatalog } from '@systole/read-models';

/** The log is asked so often at most, ms. */
const ASKED_EVERY_MS = 5_000;
/** Ids that are kept at most. */
const MOST = 100;

/** Clusters that the event log has and the list has lost: whoever looks for one finds nothing, and no worker looks after them unless something calls it. */
@Injectable()
export class UnlistedClusters {
  #asked: { readonly at: number; readonly ids: Promise<readonly string[]> } | undefined;

  constructor(private readonly catalog: ClusterCatalog) {}

  /** Ids, at most 100, as of the last seconds. @throws when the database is away */
  ids(): Promise<readonly string[]> {
    const at = performance.now();
    if (this.#asked !== undefined && at - this.#asked.at < ASKED_EVERY_MS) return this.#asked.ids;
    const asked = { at, ids: this.catalog.unlisted(MOST) };
    this.#asked = asked;
    asked.ids.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return asked.ids;
  }

  /** For people: what is lost and what to do; undefined when nothing is. @throws when the database is away */
  async text(): Promise<string | undefined> {
    const { length } = await this.ids();
    if (length === 0) return undefined;
    const lost = length === 1 ? '1 cluster' : `${length < MOST ? '' : 'at least '}${String(length)} clusters`;
    return `the list of clusters has lost ${lost} of the event log: run "systole admin rebuild", which makes it again from the events`;
  }
}
