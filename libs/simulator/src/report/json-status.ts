import type { Cluster } from '@systole/scheduler';
import { type ClusterStatus, clusterStatus } from '../simulation/simulate.js';
import { type ShownFailure, shownFailCounts, shownFailures } from '../status/failures.js';
import { type ShownAttribute, shownAttributes } from '../status/node-attributes.js';
import type { StatusOptions } from '../status/status-options.js';

/** Attributes of one online node. */
export interface JsonAttributes {
  readonly node: string;
  readonly attributes: readonly ShownAttribute[];
}

/** Failures of one resource on a node. */
export interface JsonFailCount {
  readonly node: string;
  readonly resource: string;
  readonly failCount: number;
  readonly migrationThreshold: number;
  /** Epoch seconds. */
  readonly lastFailure?: number;
}

/** A status with the sections that were asked for (specification 08 §6.8). */
export interface JsonStatus extends ClusterStatus {
  readonly attributes?: readonly JsonAttributes[];
  readonly failCounts?: readonly JsonFailCount[];
  readonly failures?: readonly ShownFailure[];
}

/** @param now effective time in epoch seconds. */
export function jsonStatus(cluster: Cluster, now: number, { attributes = false, failCounts = false }: StatusOptions): JsonStatus {
  return {
    ...clusterStatus(cluster, now),
    ...(attributes ? { attributes: attributesOf(cluster) } : {}),
    ...(failCounts ? { failCounts: failCountsOf(cluster), failures: shownFailures(cluster) } : {}),
  };
}

function attributesOf(cluster: Cluster): JsonAttributes[] {
  return cluster.nodes.filter(({ online }) => online).map((node) => ({ node: node.name, attributes: shownAttributes(cluster, node) }));
}

function failCountsOf(cluster: Cluster): JsonFailCount[] {
  return shownFailCounts(cluster).flatMap(({ node, counts }) =>
    counts.map(({ name, resource, failCount, lastFailure }) => ({
      node: node.name,
      resource: name,
      failCount,
      migrationThreshold: resource.migrationThreshold,
      ...(lastFailure > 0 ? { lastFailure } : {}),
    })),
  );
}
