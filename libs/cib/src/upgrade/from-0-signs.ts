import { descendants } from '../document/cib-index.js';
import { NO_SCHEMA, OLD_SCHEMA_NAMES } from '../schema/schema-names.js';
import { firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** Attributes of the root that only documents of the old generation have. */
const ROOT_ATTRIBUTES = ['cib_feature_revision', 'ignore_dtd', 'num_peers', 'ccm_transition', 'have_quorum', 'dc_uuid'];

/** Attributes that no later generation has, by the element that has them. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  rsc_order: ['from', 'to'],
  rsc_colocation: ['from', 'to'],
  rule: ['score_attribute', 'boolean_op'],
  op: ['start_delay', 'on_fail', 'prereq', 'disabled'],
};

/**
 * Whether a document is of the Heartbeat 2 and Pacemaker 0.6 generation: it names a schema of that time, or it names none (or asks not to be validated) and has
 * what only that generation has. One that names a later schema is what it says, and has mistakes where it has something older.
 */
export function isOfOldGeneration(document: XmlElement): boolean {
  const schema = document.attributes['validate-with'];
  if (schema !== undefined && OLD_SCHEMA_NAMES.has(schema)) return true;
  if (schema !== undefined && schema !== NO_SCHEMA) return false;
  if (ROOT_ATTRIBUTES.some((name) => document.attributes[name] !== undefined)) return true;
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return false;
  for (const element of descendants(configuration)) if (isOld(element)) return true;
  return false;
}

function isOld({ name, attributes, children }: XmlElement): boolean {
  if (name === 'attributes' || name === 'master_slave') return true;
  if (name === 'crm_config' && children.some((child) => child.kind === 'element' && child.name === 'nvpair')) return true;
  return Object.hasOwn(ATTRIBUTES, name) && (ATTRIBUTES[name] ?? []).some((attribute) => attributes[attribute] !== undefined);
}
