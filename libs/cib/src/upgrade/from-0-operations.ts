import { OPERATION_ATTRIBUTES, OTHER_OPERATION_ATTRIBUTES } from '../options/attribute-definitions.js';
import { parseBoolean } from '../scalars/boolean.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { newBoolean, newRole, withNewNames, withNewValues } from './from-0-attributes.js';
import { withNewPairs, type NewPair } from './from-0-sets.js';
import type { UpgradeLog } from './upgrade-log.js';

const RENAMED: Readonly<Record<string, string>> = {
  start_delay: 'start-delay',
  interval_origin: 'interval-origin',
  on_fail: 'on-fail',
  record_pending: 'record-pending',
  prereq: 'requires',
  pre_req: 'requires',
  'pre-req': 'requires',
};

const SETS = new Set(['instance_attributes', 'meta_attributes']);

const KNOWN: ReadonlySet<string> = new Set([...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES].map(({ name }) => name));

/** An operation; what it requires is for the next step. */
export function upgradeOldOperation(operation: XmlElement, log: UpgradeLog): XmlElement {
  const renamed = withNewNames(operation, RENAMED, log);
  const written = withNewValues(
    withNewValues(withNewValues(renamed, ['role'], newRole, log), ['on-fail'], newReaction, log),
    ['record-pending', 'enabled'],
    newBoolean,
    log,
  );
  const enabled = withEnabled(written, log);
  const timed = enabled.attributes['interval'] === undefined ? withInterval(enabled, log) : enabled;
  const children = timed.children.map((child) =>
    child.kind === 'element' && SETS.has(child.name) ? withNewPairs(child, newPair, log) : child,
  );
  return children.every((child, index) => child === timed.children[index]) ? timed : { ...timed, children };
}

function newReaction(value: string): string | undefined {
  return value === 'nothing' ? 'ignore' : undefined;
}

function withInterval(operation: XmlElement, log: UpgradeLog): XmlElement {
  log.rewritten(operation, 'interval was not given, and is "0" now');
  return withAttributes(operation, { interval: '0' });
}

function withEnabled(operation: XmlElement, log: UpgradeLog): XmlElement {
  const { disabled, enabled } = operation.attributes;
  if (disabled === undefined) return operation;
  const isDisabled = parseBoolean(disabled.trim());
  if (isDisabled === undefined) {
    log.refuse(operation, 'disabled', `"${disabled}" is no boolean: use true or false`);
    return withAttributes(operation, { disabled: undefined });
  }
  const meant = String(!isDisabled);
  if (enabled !== undefined && parseBoolean(enabled) === isDisabled) {
    log.refuse(operation, 'disabled', `says "${disabled}", and enabled says "${enabled}": leave one of them out`);
    return withAttributes(operation, { disabled: undefined });
  }
  log.rewritten(operation, `disabled="${disabled}" is enabled="${meant}" now`);
  return withAttributes(operation, { disabled: undefined, enabled: meant });
}

function newPair(name: string, value: string | undefined): NewPair | undefined {
  const dashed = Object.hasOwn(RENAMED, name) ? (RENAMED[name] ?? name) : name.replaceAll('_', '-');
  const renamed = KNOWN.has(dashed) ? dashed : name;
  const written = renamed === 'role' && value !== undefined ? (newRole(value) ?? value) : value;
  if (renamed === name && written === value) return undefined;
  return { name: renamed, ...(written === undefined ? {} : { value: written }) };
}
