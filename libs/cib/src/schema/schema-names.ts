/** Schemas that a CIB may name in `validate-with`, oldest first (specification 01 §2.1). */
export const SCHEMA_NAMES: readonly string[] = [
  ...['1.0', '1.2', '1.3'],
  ...Array.from({ length: 11 }, (_, minor) => `2.${minor}`),
  ...Array.from({ length: 11 }, (_, minor) => `3.${minor}`),
  '4.0',
].map((version) => `pacemaker-${version}`);

/**
 * What documents of the Heartbeat 2 and Pacemaker 0.6 generation name, where they name anything. No schema of that time is known here: such a document is
 * converted first, and only where whoever reads it asks for that.
 */
export const OLD_SCHEMA_NAMES: ReadonlySet<string> = new Set(['pacemaker-0.6', 'transitional-0.6', 'pacemaker-0.7']);

/** The schema that every document is brought to. */
export const CURRENT_SCHEMA = 'pacemaker-4.0';

/** `validate-with` of a document that is to be taken as it is. */
export const NO_SCHEMA = 'none';

/** The newest feature set whose documents are understood; the scheduler sees nothing in a document with a newer one (specification 01 §1.2). */
export const FEATURE_SET = '3.20.5';

/** Major version of a known schema name; undefined for an unknown one and for `none`. */
export function schemaSeries(name: string): number | undefined {
  return SCHEMA_NAMES.includes(name) ? Number.parseInt(name.slice('pacemaker-'.length), 10) : undefined;
}
