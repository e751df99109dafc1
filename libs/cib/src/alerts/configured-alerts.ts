import { readingOf, type ConfigurationReading } from '../reading/configuration-reading.js';
import { parseBoolean } from '../scalars/boolean.js';
import { parseInterval } from '../scalars/interval.js';
import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';

/** What an alert can be about. */
export const ALERT_KINDS = ['node', 'fencing', 'resource', 'attribute'] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** What an alert is to be told of. */
export interface AlertSelection {
  readonly kinds: ReadonlySet<AlertKind>;
  /** Names of the attributes; undefined: all. */
  readonly attributes?: ReadonlySet<string>;
}

/** One call of an alert's program for each event: for one of its recipients, or without one where it has none. */
export interface AlertCall {
  readonly alert: string;
  /** Of the program. */
  readonly path: string;
  readonly recipient?: { readonly id: string; readonly value: string };
  readonly select: AlertSelection;
  readonly timeoutMs: number;
  /** As `date` has it, and `%6N` for so many digits of a second. */
  readonly timestampFormat: string;
  /** The instance attributes: variables of the program's environment. As written: references to secrets stay. */
  readonly options: Readonly<Record<string, string>>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Nobody waits for a program for longer, whatever is written, ms. */
const LONGEST_TIMEOUT_MS = 3_600_000;
const DEFAULT_TIMESTAMP_FORMAT = '%H:%M:%S.%06N';

/** Whether a configuration has any alert, in force or not. */
export function hasAlerts(document: XmlElement): boolean {
  return alertElements(document).length > 0;
}

/**
 * The calls that a configuration's alerts come to at a moment, in the order of the document: what a recipient says goes before what its alert says (docs/spec/alerts.md).
 *
 * @param now epoch ms, for rules
 */
export function alertCalls(document: XmlElement, now: number): readonly AlertCall[] {
  const alerts = alertElements(document);
  if (alerts.length === 0) return [];
  const reading = readingOf(document, now);
  return alerts.flatMap((alert) => callsOf(alert, reading));
}

/** The alert of that id. */
export function alertElement(document: XmlElement, id: string): XmlElement | undefined {
  return alertElements(document).find(({ attributes }) => attributes['id'] === id);
}

function alertElements(document: XmlElement): readonly XmlElement[] {
  const configuration = firstChildNamed(document, 'configuration');
  const section = configuration === undefined ? undefined : firstChildNamed(configuration, 'alerts');
  return section === undefined ? [] : childrenNamed(section, 'alert');
}

function callsOf(alert: XmlElement, reading: ConfigurationReading): readonly AlertCall[] {
  const { id, path } = alert.attributes;
  if (id === undefined || path === undefined) return [];
  const meta = reading.values(alert, 'meta_attributes');
  if (!isEnabled(meta)) return [];
  const options = reading.values(alert, 'instance_attributes');
  const common = { alert: id, path, select: selectionOf(alert) };
  const recipients = childrenNamed(alert, 'recipient');
  if (recipients.length === 0) return [{ ...common, ...limitsOf(meta), options: objectOf(options) }];
  return recipients.flatMap((recipient) => {
    const { id: of, value } = recipient.attributes;
    const own = new Map([...meta, ...reading.values(recipient, 'meta_attributes')]);
    if (of === undefined || value === undefined || !isEnabled(own)) return [];
    const given = new Map([...options, ...reading.values(recipient, 'instance_attributes')]);
    return [{ ...common, recipient: { id: of, value }, ...limitsOf(own), options: objectOf(given) }];
  });
}

/** As own properties, whatever they are called. */
function objectOf(values: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(values);
}

function isEnabled(meta: ReadonlyMap<string, string>): boolean {
  return parseBoolean(meta.get('enabled')) !== false;
}

function limitsOf(meta: ReadonlyMap<string, string>): Pick<AlertCall, 'timeoutMs' | 'timestampFormat'> {
  const timeout = parseInterval(meta.get('timeout')) ?? 0;
  return {
    timeoutMs: timeout === 0 ? DEFAULT_TIMEOUT_MS : Math.min(timeout, LONGEST_TIMEOUT_MS),
    timestampFormat: meta.get('timestamp-format') ?? DEFAULT_TIMESTAMP_FORMAT,
  };
}

const UNSELECTED: AlertSelection = { kinds: new Set<AlertKind>(['node', 'fencing', 'resource']) };

const SELECTED_BY: ReadonlyMap<string, AlertKind> = new Map([
  ['select_nodes', 'node'],
  ['select_fencing', 'fencing'],
  ['select_resources', 'resource'],
  ['select_attributes', 'attribute'],
]);

function selectionOf(alert: XmlElement): AlertSelection {
  const select = firstChildNamed(alert, 'select');
  if (select === undefined) return UNSELECTED;
  const kinds = new Set(childElements(select).flatMap(({ name }) => SELECTED_BY.get(name) ?? []));
  if (kinds.size === 0) return UNSELECTED;
  const attributes = firstChildNamed(select, 'select_attributes');
  const names = attributes === undefined ? [] : childrenNamed(attributes, 'attribute').flatMap(({ attributes: { name } }) => name ?? []);
  return { kinds, ...(names.length === 0 ? {} : { attributes: new Set(names) }) };
}
