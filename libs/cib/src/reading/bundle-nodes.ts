import { parseInteger } from '../scalars/integer.js';
import { firstChildNamed, type XmlElement } from '../xml/element.js';

/** The element of a bundle that says in which container technology it runs, of those that there are agents for (specification 02 §8.1). */
export function containerElement(bundle: XmlElement): XmlElement | undefined {
  return firstChildNamed(bundle, 'docker') ?? firstChildNamed(bundle, 'podman');
}

/** Most replicas of a bundle. Each may be a node of its own, and waits for the probes of all the others on every node: the scheduler refuses what asks for more. */
export const MOST_REPLICAS = 500;

/** How many containers at most are promoted in a bundle, and how many there are (specification 02 §8.1). @param container see {@link containerElement} */
export function bundleCounts({ attributes }: XmlElement): {
  readonly promotedMax: number;
  readonly replicas: number;
  readonly perHost: number;
} {
  const count = (text: string | undefined, fallback: number, minimum: number): number =>
    text === undefined ? fallback : Math.max(parseInteger(text) ?? minimum, minimum);
  const promotedMax = count(attributes['promoted-max'] ?? attributes['masters'], 0, 0);
  return {
    promotedMax,
    replicas: count(attributes['replicas'], promotedMax > 0 ? promotedMax : 1, 1),
    perHost: count(attributes['replicas-per-host'], 1, 1),
  };
}

/** Id of an implicit resource of a bundle: what no XML name may hold is replaced (specification 02 §8.3). */
export function implicitId(text: string): string {
  return text.replace(/[^A-Za-z0-9_.:\-\u0080-\uffff]/g, '.').replace(/^[^A-Za-z_:\u0080-\uffff]/, '_');
}

/** A node that a bundle makes, and the container in which it is. */
export interface BundleNode {
  readonly name: string;
  readonly container: string;
}

/** The nodes of a bundle (specification 02 §8.7); none where nothing is to run in its containers, or nobody could be reached there; of what asks for more than {@link MOST_REPLICAS} the first ones. */
export function bundleNodes(bundle: XmlElement): readonly BundleNode[] {
  const container = containerElement(bundle);
  const { id } = bundle.attributes;
  if (container === undefined || id === undefined || firstChildNamed(bundle, 'primitive') === undefined) return [];
  const network = firstChildNamed(bundle, 'network')?.attributes ?? {};
  if (network['ip-range-start'] === undefined && network['control-port'] === undefined) return [];
  const { replicas } = bundleCounts(container);
  return Array.from({ length: Math.min(replicas, MOST_REPLICAS) }, (_, replica) => ({
    name: `${id}-${String(replica)}`,
    container: implicitId(`${id}-${container.name}-${String(replica)}`),
  }));
}

/**
 * Meta-attribute, of Systole's own, of the operations of a bundle's container: the node whose agent is to run in it. It goes with Pacemaker's own `CRM_meta_*`, so that an agent that has to look after the container without a server
 * knows it, too.
 */
export const GUEST_META = 'CRM_meta_systole_guest';
