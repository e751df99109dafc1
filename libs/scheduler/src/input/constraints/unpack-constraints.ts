import { childElements } from '@systole/cib';
import type { Cluster } from '../../model/cluster.js';
import { unpackColocation } from './colocation.js';
import { unpackLocation } from './location.js';
import { unpackOrder } from './order.js';
import { unpackTicket } from './ticket.js';

/**
 * The constraints, all kinds in document order (specification 04 §1.2 phase 3).
 *
 * @throws {CibRefused} `too-large`, when they relate more resources than can be worked with.
 */
export function unpackConstraints(cluster: Cluster): void {
  const section = cluster.cib.section('constraints');
  for (const constraint of section ? childElements(section) : []) {
    cluster.expansion.enterConstraint(constraint);
    switch (constraint.name) {
      case 'rsc_location':
        unpackLocation(cluster, constraint);
        break;
      case 'rsc_colocation':
        unpackColocation(cluster, constraint);
        break;
      case 'rsc_order':
        unpackOrder(cluster, constraint);
        break;
      case 'rsc_ticket':
        unpackTicket(cluster, constraint);
        break;
      default:
        cluster.error(`Ignoring <${constraint.name}>: it is no type of constraint`);
    }
  }
}
