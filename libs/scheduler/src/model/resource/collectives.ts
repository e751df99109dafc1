import type { XmlElement } from '@systole/cib';
import type { ClusterNode } from '../node.js';
import type { Resource } from '../resource.js';

/** What a clone is defined as, beside a resource (specification 02 §7). */
export interface CloneSettings {
  readonly max: number;
  readonly nodeMax: number;
  readonly promotedMax: number;
  readonly promotedNodeMax: number;
  readonly ordered: boolean;
  readonly interleave: boolean;
  /** Element that every instance is made from. */
  readonly childElement: XmlElement;
}

/** One replica of a bundle (specification 05 §13.1). */
export interface Replica {
  readonly offset: number;
  readonly ipAddress: string | undefined;
  readonly container: Resource;
  readonly ip: Resource | undefined;
  readonly connection: Resource | undefined;
  readonly node: ClusterNode | undefined;
  readonly child: Resource | undefined;
}

/** What a bundle is defined as, beside a resource (specification 02 §8). */
export interface BundleSettings {
  readonly technology: 'docker' | 'podman';
  readonly image: string;
  readonly replicaCount: number;
  readonly replicasPerHost: number;
  readonly replicas: readonly Replica[];
  readonly inner: Resource | undefined;
}
