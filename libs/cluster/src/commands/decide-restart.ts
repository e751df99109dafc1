import {
  childrenNamed,
  dateText,
  element,
  isManaged,
  parseRole,
  readingOf,
  replaceElement,
  utc,
  type ConfiguredResource,
  type XmlElement,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import { placesOf } from '../state/resource-places.js';
import { accept, reject } from './rejection.js';
import type { Decision } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import type { BeginRestart, EndRestart } from './operator-command.js';
import { resourceTarget } from './resource-target.js';

export function beginRestart({ type, resource: named, now, seconds, reason }: BeginRestart, state: ClusterState): Decision {
  const target = resourceTarget(state, named, 'own');
  if ('ok' in target) return target;
  const { resource, written } = target;
  if (placesOf(state, readingOf(state.cib, now * 1_000), resource).active.length === 0) {
    const message = `${resource.id} is active nowhere, so it can't be restarted: systole explain ${resource.id} says why`;
    return reject(state, 'place-not-clear', message, { pointer: '/resource' });
  }
  const end = utc(now + seconds);
  const stopped = { ...written, children: [...withoutPause(written).children, pauseUntil(resource.id, dateText(end))] };
  const next = replaceElement(state.cib, written, stopped);
  const reading = readingOf(next, now * 1_000);
  const parts = reading.resources.filter((part) => part.kind === 'primitive' && standsIn(part, resource.id));
  const free = parts.filter((part) => !isManaged(part.meta) || parseRole(part.meta.get('target-role')) !== 'Stopped');
  if (free.length > 0 || reading.options.flag('maintenance-mode')) {
    const which = free.length > 0 ? free.map(({ id }) => id).join(', ') : resource.id;
    const message = `${which} would not stop: it is not managed, in maintenance, or its own target-role goes before that of what it stands in`;
    return reject(state, 'attribute-overridden', message, { pointer: '/resource' });
  }
  const given = { resource: named, until: new Date(end.epochSeconds * 1_000).toISOString() };
  return changeConfiguration(state, next, { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}

export function endRestart({ type, resource: named }: EndRestart, state: ClusterState): Decision {
  const target = resourceTarget(state, named, 'own');
  if ('ok' in target) return accept();
  const next = replaceElement(state.cib, target.written, withoutPause(target.written));
  return changeConfiguration(state, next, { command: type, arguments: { resource: named } });
}

/** Whether nothing of what a command on a resource is applied to is active any more, as far as is known; also when it is not there any more. */
export function isStopped(state: ClusterState, named: string): boolean {
  const target = resourceTarget(state, named, 'own');
  return 'ok' in target || placesOf(state, readingOf(state.cib, planTime(state)), target.resource).active.length === 0;
}

function standsIn(part: ConfiguredResource, id: string): boolean {
  return part.id === id || (part.parent !== undefined && standsIn(part.parent, id));
}

function pauseId(resource: string): string {
  return `${resource}-restart`;
}

/** Of sets with the highest score the one that stands last goes first. */
function pauseUntil(resource: string, end: string): XmlElement {
  const id = pauseId(resource);
  return element('meta_attributes', { id, score: 'INFINITY' }, [
    element('rule', { id: `${id}-rule`, 'boolean-op': 'and' }, [element('date_expression', { id: `${id}-until`, operation: 'lt', end })]),
    element('nvpair', { id: `${id}-target-role`, name: 'target-role', value: 'Stopped' }),
  ]);
}

function withoutPause(written: XmlElement): XmlElement {
  const pause = childrenNamed(written, 'meta_attributes').find(
    ({ attributes }) => attributes['id'] === pauseId(written.attributes['id'] ?? ''),
  );
  return pause === undefined ? written : { ...written, children: written.children.filter((child) => child !== pause) };
}
