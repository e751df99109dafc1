import { Injectable } from '@nestjs/common';
import { ClusterCatalog, type ClusterEntry } from '@systole/read-models';
import { HttpProblem } from '../http/problem.js';
import { UnlistedClusters } from './unlisted-clusters.js';

/** Finds the cluster that a path names by its id or its name. */
@Injectable()
export class ClusterLookup {
  constructor(
    private readonly catalog: ClusterCatalog,
    private readonly unlisted: UnlistedClusters,
  ) {}

  /** @throws {HttpProblem} 404; it says so when the list of clusters itself is incomplete */
  async find(idOrName: string): Promise<ClusterEntry> {
    const entry = idOrName.length <= 255 ? await this.catalog.find(idOrName) : undefined;
    if (entry !== undefined) return entry;
    const lost = await this.unlisted.text();
    throw clusterNotFound(idOrName, lost === undefined ? '' : `. It may be one that was lost: ${lost}`);
  }
}

/** Also for whoever may not know that there is one. @param more what else is to be said */
export function clusterNotFound(idOrName: string, more = ''): HttpProblem {
  return new HttpProblem(404, 'cluster-not-found', `there is no cluster ${idOrName.slice(0, 80)}: see GET /v1/clusters${more}`);
}
