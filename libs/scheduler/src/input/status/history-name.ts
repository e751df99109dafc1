import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import type { ResourceNames } from '../../model/resource-names.js';

/** Gives an instance the id under which history knows it, or takes it away (specification 02 §10.4). */
export function setHistoryName(names: ResourceNames, resource: Resource, name: string | undefined): void {
  const old = resource.historyName;
  if (old !== undefined && old !== resource.id) names.remove(old, resource);
  observing(resource).historyName = name;
  if (name !== undefined) names.add(name, resource);
}
