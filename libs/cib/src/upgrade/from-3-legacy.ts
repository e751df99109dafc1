import { descendants } from '../document/cib-index.js';
import type { XmlElement } from '../xml/element.js';

/** Ids of what the upgrade from 3.x makes begin with this. */
export const UPGRADE_3_PREFIX = 'pcmk__3_10_upgrade-';

const LEGACY_ELEMENTS = new Set(['master', 'lifetime', 'rkt']);
const LEGACY_NAMES = new Set([
  'crmd-finalization-timeout',
  'crmd-integration-timeout',
  'crmd-transition-delay',
  'remove-after-stop',
  'restart-type',
  'can_fail',
  'role_after_failure',
]);

/** Whether anything in the configuration is refused by 4.0. */
export function hasLegacySyntax(document: XmlElement): boolean {
  for (const configuration of document.children) {
    if (configuration.kind === 'comment' || configuration.name !== 'configuration') continue;
    for (const current of descendants(configuration)) if (isLegacy(current)) return true;
  }
  return false;
}

function isLegacy(current: XmlElement): boolean {
  const { attributes, name } = current;
  if (LEGACY_ELEMENTS.has(name)) return true;
  switch (name) {
    case 'nvpair':
      return isLegacyPair(current);
    case 'node':
      return attributes['type'] === 'ping';
    case 'docker':
    case 'podman':
      return attributes['masters'] !== undefined;
    case 'fencing-level':
      return Number(attributes['index']) > 9;
    case 'date_spec':
      return attributes['moon'] !== undefined;
    case 'primitive':
    case 'template':
      return isUnsupportedClass(attributes['class']);
    case 'rsc_location':
      return current.children.filter((child) => child.kind === 'element' && child.name === 'rule').length > 1;
    default:
      return false;
  }
}

function isLegacyPair({ attributes }: XmlElement): boolean {
  const { name, value, 'id-ref': reference } = attributes;
  if (reference !== undefined) return name !== undefined;
  if (value === undefined || (name !== undefined && LEGACY_NAMES.has(name))) return true;
  return name === 'stonith-action' && value === 'poweroff';
}

/** Standards that 4.0 no longer knows, case ignored. */
export function isUnsupportedClass(standard: string | undefined): boolean {
  const name = standard?.toLowerCase();
  return name === 'nagios' || name === 'upstart';
}
