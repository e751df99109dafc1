import { Injectable } from '@nestjs/common';
import { ClusterCatalog, type ClusterEntry } from '@systole/read-models';
import { HttpProblem } from '../http/problem.js';

/** Finds the cluster that a path names by its id or its name. */
@Injectable()
export class ClusterLookup {
  constructor(private readonly catalog: ClusterCatalog) {}

  /** @throws {HttpProblem} 404 */
  async find(idOrName: string): Promise<ClusterEntry> {
    const entry = idOrName.length <= 255 ? await this.catalog.find(idOrName) : undefined;
    if (entry === undefined)
      throw new HttpProblem(404, 'cluster-not-found', `there is no cluster ${idOrName.slice(0, 80)}: see GET /v1/clusters`);
    return entry;
  }
}
