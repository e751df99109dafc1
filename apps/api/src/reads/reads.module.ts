import { Module } from '@nestjs/common';
import { ClearSecrets } from './clear-secrets.js';
import { ClusterHistory } from './cluster-history.js';
import { ClusterLookup } from './cluster-lookup.js';
import { ClusterMoments } from './cluster-moments.js';
import { ErasedReferences } from './erased-references.js';
import { LastChanges } from './last-change.js';
import { PastVersions } from './past-versions.js';
import { UnlistedClusters } from './unlisted-clusters.js';

/** What everything that reads a cluster goes through: finding it, its state now and earlier, who changed it last, and what it holds of secrets. */
@Module({
  providers: [ClearSecrets, ClusterHistory, ClusterLookup, ClusterMoments, ErasedReferences, LastChanges, PastVersions, UnlistedClusters],
  exports: [ClearSecrets, ClusterHistory, ClusterLookup, ErasedReferences, LastChanges, PastVersions, UnlistedClusters],
})
export class ReadsModule {}
