import { readVersionText, versionText, type EpochVersion } from '@systole/cluster';
import { HttpProblem } from './problem.js';

const TAGS = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;
const VERSION = /(W\/)?"([^"]*)"/g;

/** The entity tag of a cluster: its stream version, with the epoch of the log once a new one began. All tags are made here, and read here. */
export function etagOf(version: EpochVersion): string {
  return `"${versionText(version)}"`;
}

/**
 * Whether who asks with `If-None-Match` has this version already (RFC 9110 §13.1.2: weak tags count). What is no list of entity tags knows nothing, so that
 * the answer is the whole.
 */
export function isKnown(version: EpochVersion, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch?.trim() === '*') return true;
  if (ifNoneMatch === undefined || !TAGS.test(ifNoneMatch)) return false;
  return [...ifNoneMatch.matchAll(VERSION)].some(([, , tag]) => tag === versionText(version));
}

/**
 * The versions that `If-Match` asks for, any of them; undefined when anything will do (no header, or `*`). Weak tags and those that this server never gave match
 * nothing (RFC 9110 §13.1.1).
 *
 * @throws {HttpProblem} 400 for what is no list of entity tags, 412 when nothing in it can match
 */
export function expectedVersions(ifMatch: string | undefined): readonly EpochVersion[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  if (!TAGS.test(ifMatch)) {
    const detail = 'If-Match is no entity tag: give the ETag of an earlier answer, with its quotes';
    throw new HttpProblem(400, 'malformed-header', detail, { errors: [{ header: 'If-Match', detail }] });
  }
  const versions = [...ifMatch.matchAll(VERSION)].flatMap(([, weak, tag = '']) => {
    const version = weak === undefined ? readVersionText(tag) : undefined;
    return version === undefined ? [] : [version];
  });
  if (versions.length === 0)
    throw new HttpProblem(412, 'version-mismatch', `no version of a cluster has the tag ${ifMatch}: read it again`);
  return versions;
}
