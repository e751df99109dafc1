import type { XmlElement } from '../xml/element.js';
import { rewriteChildren } from '../xml/rewrite.js';
import { pingNodesOf, withoutPingNodes } from './from-0-connectivity.js';
import { upgradeColocation, upgradeCondition, upgradeLocation, upgradeOrder, upgradeRule } from './from-0-constraints.js';
import { upgradeIds } from './from-0-ids.js';
import { upgradeOldOperation } from './from-0-operations.js';
import { upgradeOldProperties, withFencingSaid, withPropertySet } from './from-0-properties.js';
import { upgradeOldResource } from './from-0-resources.js';
import { upgradeRoot } from './from-0-root.js';
import { upgradeOldSet } from './from-0-sets.js';
import type { UpgradeLog } from './upgrade-log.js';

/**
 * From the Heartbeat 2 and Pacemaker 0.6 generation to 1.x: sets without a container inside, names with dashes, meta-attributes apart from parameters, constraints
 * that say `rsc`, `first` and `then`, ids that are XML ids. What is in newer syntax already stays. Where an attribute is given in both, and says two things, the document is refused.
 *
 * Pacemaker's own conversion is gone from its programs since 2.0; what is done here follows the public documentation of Heartbeat 2 and of what changed in Pacemaker 1.0.
 */
export function upgradeFrom0(document: XmlElement, log: UpgradeLog): XmlElement {
  const pingNodes = pingNodesOf(document);
  const upgraded = rewriteChildren(upgradeRoot(document, log), (current, ancestors) => {
    if (!ancestors.includes('configuration')) return current;
    switch (current.name) {
      case 'crm_config':
        return withPropertySet(current, log);
      case 'cluster_property_set':
        return upgradeOldProperties(upgradeOldSet(current, log), log);
      case 'instance_attributes':
      case 'meta_attributes':
      case 'utilization':
        return upgradeOldSet(current, log);
      case 'nodes':
        return withoutPingNodes(current, log);
      case 'primitive':
      case 'group':
      case 'clone':
      case 'master_slave':
      case 'master':
        return upgradeOldResource(current, { pingNodes, log });
      case 'op':
        return upgradeOldOperation(current, log);
      case 'rule':
        return upgradeRule(current, ancestors, log);
      case 'expression':
        return upgradeCondition(current, log);
      case 'rsc_location':
        return upgradeLocation(current, log);
      case 'rsc_order':
        return upgradeOrder(current, log);
      case 'rsc_colocation':
        return upgradeColocation(current, log);
      default:
        return current;
    }
  });
  return upgradeIds(withFencingSaid(upgraded, log), log);
}
