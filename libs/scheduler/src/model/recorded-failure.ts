import { baseName } from './names.js';

/** A fail count or the time of a last failure, as an attribute of the node (specification 03 §6.1). */
export interface RecordedFailure {
  readonly kind: 'fail-count' | 'last-failure';
  /** The resource's name as recorded, with its instance number. */
  readonly resource: string;
  readonly value: string;
}

/** Fail count attributes of a node, by the recorded resource without instance number (specification 03 §6.1). */
export function recordedFailures(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, readonly RecordedFailure[]> {
  const byResource = new Map<string, RecordedFailure[]>();
  for (const [name, value] of attributes) {
    const match = /^(fail-count|last-failure)-([^#]+)#.+_[0-9]+$/.exec(name);
    if (!match) continue;
    const [, kind, resource = ''] = match;
    const recorded: RecordedFailure = { kind: kind === 'fail-count' ? 'fail-count' : 'last-failure', resource, value };
    const base = baseName(resource);
    const list = byResource.get(base);
    if (list) list.push(recorded);
    else byResource.set(base, [recorded]);
  }
  return byResource;
}
