import { parseBoolean, parsePath, parseXml, type ElementChange, type XmlElement } from '@systole/cib';

/**
 * Which nodes a change of the configuration put in a mode (true), or out of it (false), by node id. One that was in it before and stays so is not named, however it is
 * written.
 *
 * @param mode name of the attribute: `standby`, `maintenance`
 */
export function modesSet(mode: string, changes: readonly ElementChange[]): ReadonlyMap<string, boolean> {
  const was = new Set(changes.flatMap((change) => nodesIn(mode, change, change.before)));
  const is = new Set(changes.flatMap((change) => nodesIn(mode, change, change.after)));
  return new Map([...new Set([...was, ...is])].flatMap((id) => (was.has(id) === is.has(id) ? [] : [[id, is.has(id)] as const])));
}

/** Ids of the nodes that an element of the `nodes` section, or one that contains it, puts in the mode. */
function nodesIn(mode: string, { path }: ElementChange, text: string | undefined): readonly string[] {
  // Most changes have nothing to do with it, and may be large.
  if (text?.includes(mode) !== true) return [];
  const steps = parsePath(path) ?? [];
  if (steps.length > 1 && steps[1]?.name !== 'nodes') return [];
  return nodesBelow(mode, parseXml(text), steps[2]?.id);
}

function nodesBelow(mode: string, element: XmlElement, node: string | undefined): readonly string[] {
  const { name, attributes, children } = element;
  if (name === 'nvpair') {
    return node !== undefined && attributes['name'] === mode && parseBoolean(attributes['value']) === true ? [node] : [];
  }
  if (!CONTAINERS.has(name)) return [];
  const below = name === 'node' ? attributes['id'] : node;
  return children.flatMap((child) => (child.kind === 'element' ? nodesBelow(mode, child, below) : []));
}

/** What stands between the configuration and an attribute of a node. */
const CONTAINERS: ReadonlySet<string> = new Set(['configuration', 'nodes', 'node', 'instance_attributes']);
