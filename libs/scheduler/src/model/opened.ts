import type { Cluster } from './cluster.js';
import type { DeepReadonly } from './deep-readonly.js';

/** A cluster that was read, to be written again: by the phases that go on with it. */
export const opened = (cluster: DeepReadonly<Cluster>): Cluster => cluster as Cluster;
