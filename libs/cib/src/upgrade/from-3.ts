import type { XmlElement } from '../xml/element.js';
import { upgradeConstraints } from './from-3-constraints.js';
import { hasLegacySyntax } from './from-3-legacy.js';
import { dropUnsupportedResources } from './from-3-resources.js';
import { upgradeSets } from './from-3-sets.js';
import { upgradeShapes } from './from-3-shapes.js';
import type { UpgradeLog } from './upgrade-log.js';

/**
 * From 3.x to 4.0 (specification 01 §2.5). Everything happens together, and only if the document has something that 4.0 refuses: an
 * upgrade reorders sets, which a document that needs none must be spared.
 */
export function upgradeFrom3(document: XmlElement, log: UpgradeLog): XmlElement {
  if (!hasLegacySyntax(document)) return document;
  return upgradeSets(upgradeConstraints(dropUnsupportedResources(upgradeShapes(document, log), log), log), log);
}
