import { CURRENT_SCHEMA, NO_SCHEMA, schemaSeries } from '../schema/schema-names.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { CibRefused } from '../document/cib-refused.js';
import { upgradeFrom1 } from './from-1.js';
import { upgradeFrom2 } from './from-2.js';
import { upgradeFrom3 } from './from-3.js';

/** A document of the current schema, and what was lost on the way to it. */
export interface UpgradedCib {
  readonly document: XmlElement;
  /** What a person should know, e.g. resources that are no longer supported and were dropped. */
  readonly notes: readonly string[];
}

/**
 * Brings a document to the current schema (specification 01 §2). Only what the newer schemas refuse is changed; a document that has nothing of the
 * kind changes its `validate-with` and nothing else. Schema `none` is left alone.
 *
 * @throws {CibRefused} when `validate-with` is missing or names no known schema.
 */
export function upgradeCib(document: XmlElement): UpgradedCib {
  const schema = document.attributes['validate-with'];
  if (schema === NO_SCHEMA || schema === CURRENT_SCHEMA) return { document, notes: [] };
  const series = schema === undefined ? undefined : schemaSeries(schema);
  if (series === undefined) {
    throw new CibRefused('unknown-schema', `validate-with="${schema ?? ''}" is no known schema: name ${CURRENT_SCHEMA} or an older one`);
  }
  const notes: string[] = [];
  let upgraded = document;
  if (series < 2) upgraded = upgradeFrom1(upgraded);
  if (series < 3) upgraded = upgradeFrom2(upgraded);
  upgraded = upgradeFrom3(upgraded, (note) => notes.push(note));
  return { document: withAttributes(upgraded, { 'validate-with': CURRENT_SCHEMA }), notes };
}
