import { diffConfiguration, type ElementChange } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from './cluster-state.js';
import { setPermanentAttribute } from './configuration.js';

/**
 * What events change in the configuration. Those of permanent attributes write it, too, and do not carry how: that follows from the configuration before.
 *
 * @param before the state that they were decided in; undefined where that is not known: then only what events carry is told
 */
export function changesWritten(events: readonly ClusterEvent[], before: ClusterState | undefined): readonly ElementChange[] {
  const carried = events.flatMap((event) => (event.type === 'ConfigurationChanged' ? event.data.changes : []));
  if (before === undefined || !events.some(writesAttribute)) return carried;
  const after = events.filter(writesAttribute).reduce((cib, { type, data }) => {
    const [value, uniqueIds] = type === 'NodeAttributeSet' ? [data.value, data.uniqueIds] : [undefined, undefined];
    return setPermanentAttribute(cib, data.node, data.name, value, uniqueIds);
  }, before.cib);
  return [...carried, ...diffConfiguration(before.cib, after)];
}

type AttributeEvent = Extract<ClusterEvent, { readonly type: 'NodeAttributeSet' | 'NodeAttributeCleared' }>;

function writesAttribute(event: ClusterEvent): event is AttributeEvent {
  return (event.type === 'NodeAttributeSet' || event.type === 'NodeAttributeCleared') && event.data.lifetime === 'forever';
}
