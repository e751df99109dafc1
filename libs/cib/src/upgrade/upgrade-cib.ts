import { CURRENT_SCHEMA, NO_SCHEMA, schemaSeries } from '../schema/schema-names.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { CibRefused, type CibProblem } from '../document/cib-refused.js';
import { upgradeFrom0 } from './from-0.js';
import { isOfOldGeneration } from './from-0-signs.js';
import { upgradeFrom1 } from './from-1.js';
import { upgradeFrom2 } from './from-2.js';
import { upgradeFrom3 } from './from-3.js';
import { UpgradeLog, type UpgradeChange } from './upgrade-log.js';

/** A document of the current schema, and what was changed on the way to it. */
export interface UpgradedCib {
  readonly document: XmlElement;
  /** Everything that was changed. */
  readonly changes: readonly UpgradeChange[];
  /** What can't be brought to the current schema, because it says two things at once. Only of a document of old. */
  readonly problems: readonly CibProblem[];
}

/** What becomes of documents of the Heartbeat 2 and Pacemaker 0.6 generation, which Pacemaker itself takes no more. */
export type OldDocuments = 'convert' | 'refuse';

/**
 * Brings a document to the current schema (specification 01 §2). Only what the newer schemas refuse is changed; a document that has nothing of the
 * kind changes its `validate-with` and nothing else. Schema `none` is left alone, but for a document of old that is to be converted: nothing would read it.
 *
 * @throws {CibRefused} when `validate-with` is missing or names no known schema.
 */
export function upgradeCib(document: XmlElement, old: OldDocuments = 'refuse'): UpgradedCib {
  const schema = document.attributes['validate-with'];
  const isOld = old === 'convert' && isOfOldGeneration(document);
  if (!isOld && (schema === NO_SCHEMA || schema === CURRENT_SCHEMA)) return { document, changes: [], problems: [] };
  const series = isOld ? 0 : schema === undefined ? undefined : schemaSeries(schema);
  if (series === undefined) {
    throw new CibRefused('unknown-schema', `validate-with="${schema ?? ''}" is no known schema: name ${CURRENT_SCHEMA} or an older one`);
  }
  const log = new UpgradeLog();
  let upgraded = document;
  if (series < 1) upgraded = upgradeFrom0(upgraded, log);
  if (series < 2) upgraded = upgradeFrom1(upgraded, log);
  if (series < 3) upgraded = upgradeFrom2(upgraded, log);
  upgraded = upgradeFrom3(upgraded, log);
  log.rewritten(document, `validate-with ${schema === undefined ? 'was not given, and' : `"${schema}"`} is "${CURRENT_SCHEMA}" now`);
  return {
    document: withAttributes(upgraded, { 'validate-with': CURRENT_SCHEMA }),
    changes: log.changesOf(document),
    problems: log.problemsOf(document),
  };
}
