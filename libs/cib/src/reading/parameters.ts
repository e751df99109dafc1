import type { CibEvaluation } from '../document/cib-evaluation.js';
import type { CibIndex } from '../document/cib-index.js';
import type { NvpairOptions, NvpairSetName } from '../nvpairs/nvpair-sets.js';
import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/**
 * A resource's parameters: its own `instance_attributes`, then those of the resources that it stands in, the nearest first (specification 01 §4.6).
 *
 * @param nodeAttributes those of the node for which they are evaluated; undefined without one
 */
export function resourceParameters(
  evaluation: CibEvaluation,
  layers: Iterable<XmlElement>,
  nodeAttributes: ReadonlyMap<string, string> | undefined,
  options?: NvpairOptions,
): Map<string, string> {
  const filled = new Map<string, string>();
  for (const layer of layers) evaluation.fill(layer, 'instance_attributes', { nodeAttributes }, filled, options);
  return filled;
}

/** Whether rules decide which of an element's sets count. */
export function hasRules(index: CibIndex, element: XmlElement, setName: NvpairSetName): boolean {
  return childElements(element).some(
    (set) => set.name === setName && childElements(index.resolve(set) ?? set).some((child) => child.name === 'rule'),
  );
}
