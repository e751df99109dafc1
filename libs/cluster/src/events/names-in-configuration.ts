import { parsePath } from '@systole/cib';
import type { ElementChange } from './cluster-event.js';

/** Elements that people speak of by their ids; sets, operations and rules are parts of them. */
const NAMED = new Set([
  ...['primitive', 'group', 'clone', 'master', 'bundle', 'template', 'node', 'tag', 'fencing-level', 'alert'],
  ...['rsc_location', 'rsc_colocation', 'rsc_order', 'rsc_ticket', 'acl_role', 'acl_target', 'acl_group', 'acl_user'],
  // References to others, by their ids.
  ...['resource_ref', 'obj_ref', 'role'],
]);

/** Attributes that name something else, whatever element has them. */
const REFERENCES = new Set(['rsc', 'with-rsc', 'first', 'then', 'node', 'template', 'ticket', 'target', 'devices', 'uname']);

const ELEMENT = /<([A-Za-z_][\w.-]*)/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

/**
 * What a piece of configuration names: its resources, nodes, constraints, tags and so on, and what these refer to. Reads the text as it is, without a model of it: what is
 * found is only searched by, and a document may hold thousands of them.
 *
 * @param xml one element, or a document
 */
export function namesInConfiguration(xml: string): readonly string[] {
  const names = new Set<string>();
  for (let place = xml.indexOf('<'); place >= 0; place = xml.indexOf('<', place)) {
    if (xml.startsWith('<!--', place)) {
      const end = xml.indexOf('-->', place + 4);
      if (end < 0) break;
      place = end;
      continue;
    }
    const [tag = '<', element = ''] = matchAt(ELEMENT, xml, place) ?? [];
    place += tag.length;
    for (let found = matchAt(ATTRIBUTE, xml, place); found !== null; found = matchAt(ATTRIBUTE, xml, place)) {
      const [text, name = '', double, single] = found;
      place += text.length;
      const value = (double ?? single ?? '').replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity);
      if (name === 'devices') for (const device of value.split(',')) names.add(device.trim());
      else if (REFERENCES.has(name) || (name === 'id' && NAMED.has(element))) names.add(value);
    }
  }
  names.delete('');
  return [...names];
}

/** What a sticky pattern finds at a place, and nowhere after it: the time it takes grows with the text alone. */
function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

/** What a change of the configuration concerns: the element, what contains it, what is in it, and what it refers to, or did. */
export function namesInChange({ id, path, before = '', after = '' }: ElementChange): readonly string[] {
  const containing = (parsePath(path) ?? []).flatMap((step) => (step.id === undefined ? [] : [step.id]));
  return [id, ...containing, ...namesInConfiguration(before), ...namesInConfiguration(after)];
}
