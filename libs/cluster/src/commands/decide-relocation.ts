import {
  childrenNamed,
  dateText,
  element,
  parseScore,
  readingOf,
  replaceElement,
  utc,
  type ConfiguredResource,
  type XmlElement,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import type { Decision } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import type { BeginRelocation, EndRelocation } from './operator-command.js';
import { reject } from './rejection.js';
import { resourceTarget, writtenResource } from './resource-target.js';

const STICKINESS = 'resource-stickiness';

/** Each part gets a set of its own: what a part says of its stickiness goes before what it stands in says. */
export function beginRelocation({ type, resource: named, now, seconds, reason }: BeginRelocation, state: ClusterState): Decision {
  const parts = partsOf(named, state, now);
  if ('ok' in parts) return parts;
  const end = utc(now + seconds);
  const until = dateText(end);
  const next = withEach(state.cib, parts, (written) => ({
    ...written,
    children: [...withoutRelease(written).children, releaseUntil(written.attributes['id'] ?? '', until)],
  }));
  const reading = readingOf(next, now * 1_000);
  const held = parts.filter(({ id }) => parseScore(reading.resource(id)?.meta.get(STICKINESS)) !== 0);
  if (held.length > 0) {
    const message = `${held.map(({ id }) => id).join(', ')} would stay: another set of meta-attributes decides about ${STICKINESS}. Change it there`;
    const issues = held.map(({ id }) => ({
      message: `${id} would stay: another set of meta-attributes decides about ${STICKINESS}`,
      about: { kind: 'resource', id },
    }));
    return reject(state, 'attribute-overridden', message, { pointer: '/resource', issues });
  }
  const given = { ...(named === undefined ? {} : { resource: named }), until: new Date(end.epochSeconds * 1_000).toISOString() };
  return changeConfiguration(state, next, { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}

export function endRelocation({ type, resource: named }: EndRelocation, state: ClusterState): Decision {
  const parts = partsOf(named, state, 0);
  if ('ok' in parts) return { ok: true, events: [] };
  const next = withEach(state.cib, parts, withoutRelease);
  return changeConfiguration(state, next, { command: type, arguments: named === undefined ? {} : { resource: named } });
}

/** What has a stickiness of its own: primitives, and bundles for their containers. */
function partsOf(
  named: string | undefined,
  state: ClusterState,
  now: number,
): readonly ConfiguredResource[] | (Decision & { readonly ok: false }) {
  const all = readingOf(state.cib, now * 1_000).resources.filter(({ kind }) => kind === 'primitive' || kind === 'bundle');
  if (named === undefined) return all;
  const target = resourceTarget(state, named, 'placed');
  if ('ok' in target) return target;
  const stands = (part: ConfiguredResource): boolean =>
    part.id === target.resource.id || (part.parent !== undefined && stands(part.parent));
  return all.filter(stands);
}

function withEach(cib: XmlElement, parts: readonly ConfiguredResource[], change: (written: XmlElement) => XmlElement): XmlElement {
  let next = cib;
  for (const { id } of parts) {
    const written = writtenResource(next, id);
    if (written !== undefined) next = replaceElement(next, written, change(written));
  }
  return next;
}

function releaseId(resource: string): string {
  return `${resource}-relocate`;
}

/** Of sets with the highest score the one that stands last goes first. */
function releaseUntil(resource: string, end: string): XmlElement {
  const id = releaseId(resource);
  return element('meta_attributes', { id, score: 'INFINITY' }, [
    element('rule', { id: `${id}-rule`, 'boolean-op': 'and' }, [element('date_expression', { id: `${id}-until`, operation: 'lt', end })]),
    element('nvpair', { id: `${id}-stickiness`, name: STICKINESS, value: '0' }),
  ]);
}

function withoutRelease(written: XmlElement): XmlElement {
  const id = releaseId(written.attributes['id'] ?? '');
  const release = childrenNamed(written, 'meta_attributes').find(({ attributes }) => attributes['id'] === id);
  return release === undefined ? written : { ...written, children: written.children.filter((child) => child !== release) };
}
