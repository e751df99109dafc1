import { readVersionText, versionText, type EpochVersion } from '@systole/cluster';
import { HttpProblem } from './problem.js';

/** A list of entity tags; elements may be empty (RFC 9110 §5.6.1.2), but not all of them. */
const TAGS = /^[\s,]*(?:(?:W\/)?"[^"]*"\s*(?:,[\s,]*|$))+$/;
const TAG = /(W\/)?"([^"]*)"/g;

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
  return [...ifNoneMatch.matchAll(TAG)].some(([, , tag]) => tag === versionText(version));
}

/**
 * The versions that `If-Match` asks for, any of them; undefined when anything will do (no header, or `*`). Weak tags and those that this server never gave match
 * nothing (RFC 9110 §13.1.1).
 *
 * @throws {HttpProblem} 400 for what is no list of entity tags, 412 when nothing in it can match
 */
export function expectedVersions(ifMatch: string | undefined): readonly EpochVersion[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const versions = tagsIn('If-Match', ifMatch).flatMap(({ isWeak, version }) => (isWeak || version === undefined ? [] : [version]));
  if (versions.length === 0)
    throw new HttpProblem(412, 'version-mismatch', `no version of a cluster has the tag ${ifMatch}: read it again`);
  return versions;
}

/**
 * The versions at which `If-None-Match` wants nothing done; `any`: while there is anything at all; undefined without the header (RFC 9110 §13.1.2: weak tags count).
 *
 * @throws {HttpProblem} 400 for what is no list of entity tags
 */
export function unwantedVersions(ifNoneMatch: string | undefined): 'any' | readonly EpochVersion[] | undefined {
  if (ifNoneMatch === undefined) return undefined;
  if (ifNoneMatch.trim() === '*') return 'any';
  return tagsIn('If-None-Match', ifNoneMatch).flatMap(({ version }) => (version === undefined ? [] : [version]));
}

/** @throws {HttpProblem} 400 */
function tagsIn(header: string, text: string): readonly { readonly isWeak: boolean; readonly version: EpochVersion | undefined }[] {
  if (TAGS.test(text))
    return [...text.matchAll(TAG)].map(([, weak, tag = '']) => ({ isWeak: weak !== undefined, version: readVersionText(tag) }));
  const detail = `${header} is no entity tag: give the ETag of an earlier answer, with its quotes`;
  throw new HttpProblem(400, 'malformed-header', detail, { errors: [{ header, detail }] });
}
