import type { XmlElement } from '@systole/cib';
import type { Cluster, ClusterNode, Resource } from '@systole/scheduler';
import { exitText } from './exit-text.js';

const INVALID_PARAMETER = 2;
const NOT_INSTALLED = 5;
/** Execution status "not installed". */
const STATUS_NOT_INSTALLED = 7;

/** Whether a history entry is a probe that found the service missing or unconfigurable: no failure, but worth a word. */
export function isMaskedProbe({ attributes }: XmlElement): boolean {
  const { operation, interval, 'rc-code': code, 'op-status': status } = attributes;
  if (operation !== 'monitor' || Number(interval ?? 0) !== 0) return false;
  const rc = Number(code);
  return rc === NOT_INSTALLED || rc === INVALID_PARAMETER || Number(status) === STATUS_NOT_INSTALLED;
}

/** Probes that failed because the service isn't there or can't be configured: shown, but no failure (specification 08 §6.3). */
export class FailedProbes {
  /** Exit texts by resource name, then by the node that the entry names, in small letters. */
  private readonly found = new Map<string, Map<string, string>>();

  constructor(cluster: Cluster) {
    for (const { element, key } of cluster.failedOperations) {
      const node = element.attributes['on_node']?.toLowerCase();
      if (node === undefined || !isMaskedProbe(element)) continue;
      const resource = key.replace(/_monitor_0$/, '');
      const byNode = this.found.get(resource) ?? new Map<string, string>();
      if (!byNode.has(node)) byNode.set(node, exitText(Number(element.attributes['rc-code'])));
      this.found.set(resource, byNode);
    }
  }

  /** Exit text of the failed probe of a resource or clone on a node; on any node without one. */
  of(resource: Resource, node: ClusterNode | undefined): string | undefined {
    const byNode = this.found.get(recordedName(resource));
    return node ? byNode?.get(node.name.toLowerCase()) : byNode?.values().next().value;
  }
}

/** Members of clones are recorded under the name of the clone's child. */
function recordedName(resource: Resource): string {
  const { top } = resource;
  return top.kind === 'clone' ? (top.clone?.childElement.attributes['id'] ?? top.id) : resource.id;
}
