import { ProbeMode } from '../../model/candidates.js';
import type { Cluster } from '../../model/cluster.js';
import { addScores } from '../../model/score.js';
import { keepLocation } from './keep-location.js';

/** Node health as location constraints, made before all others (specification 04 §5.1). */
export function applyHealth(cluster: Cluster): void {
  const { healthStrategy, healthBase } = cluster.options;
  if (healthStrategy === 'none') return;
  for (const node of cluster.nodes) {
    let health = healthBase;
    for (const [name, value] of node.attributes) {
      const score = name.startsWith('#health') ? cluster.score(value) : undefined;
      if (score !== undefined) health = addScores(health, score);
    }
    if (health === 0) continue;
    for (const resource of cluster.resources) {
      if (health < 0 && cluster.cib.boolean(resource.meta.get('allow-unhealthy-nodes')) === true) continue;
      keepLocation(cluster, {
        id: healthStrategy,
        cause: { kind: 'health', strategy: healthStrategy },
        resource,
        role: undefined,
        nodes: [{ node, score: health }],
        probeMode: ProbeMode.Always,
      });
    }
  }
}
