import { Module } from '@nestjs/common';
import { ClusterHistory } from './cluster-history.js';
import { ClusterLookup } from './cluster-lookup.js';
import { ClusterMoments } from './cluster-moments.js';
import { LastChanges } from './last-change.js';
import { PastVersions } from './past-versions.js';
import { UnlistedClusters } from './unlisted-clusters.js';

/** What everything that reads a cluster goes through: finding it, its state, now and earlier, and who changed it last. */
@Module({
  providers: [ClusterHistory, ClusterLookup, ClusterMoments, LastChanges, PastVersions, UnlistedClusters],
  exports: [ClusterHistory, ClusterLookup, LastChanges, PastVersions, UnlistedClusters],
})
export class ReadsModule {}
