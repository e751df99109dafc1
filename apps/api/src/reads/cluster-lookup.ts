import { Injectable } from '@nestjs/common';
import { includesRole, type OperatorPrincipal } from '@systole/access';
import { ClusterCatalog, type ClusterEntry } from '@systole/read-models';
import { LRUCache } from 'lru-cache';
import { HttpProblem } from '../http/problem.js';
import { UnlistedClusters } from './unlisted-clusters.js';

/** Of so many clusters that were found by their names the ids are remembered. */
const MOST_REMEMBERED = 10_000;

/** Finds the cluster that a path names by its id or its name. */
@Injectable()
export class ClusterLookup {
  readonly #found = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  constructor(
    private readonly catalog: ClusterCatalog,
    private readonly unlisted: UnlistedClusters,
  ) {}

  /** @throws {HttpProblem} 404; it says so when the list of clusters itself is incomplete */
  async find(idOrName: string): Promise<ClusterEntry> {
    const entry = idOrName.length <= 255 ? await this.catalog.find(idOrName) : undefined;
    if (entry !== undefined) {
      this.#found.set(entry.name, entry.id);
      return entry;
    }
    const lost = await this.unlisted.text();
    throw clusterNotFound(idOrName, lost === undefined ? '' : `. It may be one that was lost: ${lost}`);
  }

  /** The id of the cluster that was last found by a name, for the log: by now it may be another one's. */
  idFoundFor(name: string): string | undefined {
    return this.#found.get(name);
  }

  /**
   * The same for what is read back: administrators find a cluster that was deleted, too, by its id alone, for names are given again.
   *
   * @throws {HttpProblem} 404
   */
  async findEver(idOrName: string, { role }: Pick<OperatorPrincipal, 'role'>): Promise<Pick<ClusterEntry, 'id' | 'name'>> {
    if (!includesRole(role, 'admin') || idOrName.length > 255) return this.find(idOrName);
    const found = await this.catalog.named(idOrName);
    const deleted = found.find(({ id, deleted }) => deleted && id === idOrName);
    return deleted ?? this.find(idOrName);
  }
}

/** Also for whoever may not know that there is one. @param more what else is to be said */
export function clusterNotFound(idOrName: string, more = ''): HttpProblem {
  return new HttpProblem(404, 'cluster-not-found', `there is no cluster ${idOrName.slice(0, 80)}: see GET /v1/clusters${more}`);
}
