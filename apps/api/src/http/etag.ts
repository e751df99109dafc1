import { randomBytes } from 'node:crypto';
import { readVersionText, versionText, type EpochVersion } from '@systole/cluster';
import { HttpProblem } from './problem.js';

/** A list of entity tags; elements may be empty (RFC 9110 §5.6.1.2), but not all of them. */
const TAGS = /^[\s,]*(?:(?:W\/)?"[^"]*"\s*(?:,[\s,]*|$))+$/;
const TAG = /(W\/)?"([^"]*)"/g;

/** What a version is written as. */
export type Form = 'json' | 'xml';
const CODINGS = ['gzip', 'br', 'deflate'] as const;
/** What a version is compressed with. */
export type Coding = (typeof CODINGS)[number];

/**
 * A tag names the version, and after it how that is written where that is not JSON, of which making the answer is where it is not the same each time, and what it is compressed with: other bytes have another
 * strong tag (RFC 9110 §8.8.3).
 */
const PARTS = new RegExp(`^([^_]*)(?:_(xml))?(?:_(m[0-9a-f]+))?(?:_(${CODINGS.join('|')}))?$`);

interface TagParts {
  /** As {@link versionText} writes it. */
  readonly version: string;
  readonly form: Form;
  readonly making?: Making;
  readonly coding?: Coding;
}

/** Tells one making of an answer from another one of the same version. */
export type Making = `m${string}`;

/** A making of which nobody has heard before. For answers that tell of the time, too, or of what is no event: of one version there are many. */
export function newMaking(): Making {
  return `m${randomBytes(6).toString('hex')}`;
}

/**
 * The entity tag of a cluster: its stream version, with the epoch of the log once a new one began. All tags are made here, and read here.
 *
 * @param form of the answer
 * @param making of an answer that may be another one at the same version; undefined: all of it follows from the version
 */
export function etagOf(version: EpochVersion, form: Form = 'json', making?: Making): string {
  return `"${versionText(version)}${form === 'json' ? '' : `_${form}`}${making === undefined ? '' : `_${making}`}"`;
}

/** The tag of what is sent compressed. @param tag of {@link etagOf} */
export function compressedTag(tag: string, coding: string): string {
  const isOurs = /^".*"$/.test(tag) && CODINGS.some((known) => known === coding);
  return isOurs ? `${tag.slice(0, -1)}_${coding}"` : tag;
}

/** What stands in a tag; undefined for what this server never gave. */
function partsOf(tag: string): TagParts | undefined {
  const [, version, form, making, coding] = PARTS.exec(tag) ?? [];
  if (version === undefined) return undefined;
  return {
    version,
    form: form === 'xml' ? form : 'json',
    ...(making === undefined ? {} : { making: making as Making }),
    ...(coding === undefined ? {} : { coding: coding as Coding }),
  };
}

function versionIn(tag: string): EpochVersion | undefined {
  const parts = partsOf(tag);
  return parts === undefined ? undefined : readVersionText(parts.version);
}

/**
 * The tag by which who asks with `If-None-Match` has this version already, in this form and compressed in a way that he takes (RFC 9110 §13.1.2: weak tags count); undefined when he has not. What is no list of entity tags knows
 * nothing, so that the answer is the whole.
 *
 * @param takes whether who asks takes what is compressed so
 */
export function knownTag(
  version: EpochVersion,
  form: Form,
  ifNoneMatch: string | undefined,
  takes: (coding: Coding) => boolean,
): string | undefined {
  if (ifNoneMatch?.trim() === '*') return etagOf(version, form);
  if (ifNoneMatch === undefined || !TAGS.test(ifNoneMatch)) return undefined;
  const text = versionText(version);
  const known = [...ifNoneMatch.matchAll(TAG)].find(([, , tag = '']) => {
    const parts = partsOf(tag);
    const isOfVersionAlone = parts?.version === text && parts.form === form && parts.making === undefined;
    return isOfVersionAlone && (parts.coding === undefined || takes(parts.coding));
  });
  return known === undefined ? undefined : `"${known[2] ?? ''}"`;
}

/**
 * The versions that `If-Match` asks for, any of them, whatever they were written as; undefined when anything will do (no header, or `*`). Weak tags and those that this server never gave match
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
    return [...text.matchAll(TAG)].map(([, weak, tag = '']) => ({ isWeak: weak !== undefined, version: versionIn(tag) }));
  const detail = `${header} is no entity tag: give the ETag of an earlier answer, with its quotes`;
  throw new HttpProblem(400, 'malformed-header', detail, { errors: [{ header, detail }] });
}
