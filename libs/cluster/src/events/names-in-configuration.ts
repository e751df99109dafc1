import { parsePath } from '@systole/cib';
import type { ElementChange } from './cluster-event.js';

/** Attributes that name something else, whatever element has them. */
const REFERENCES = new Set(['rsc', 'with-rsc', 'first', 'then', 'node', 'template', 'ticket', 'target', 'devices', 'uname']);

const ELEMENT = /<([A-Za-z_][\w.-]*)/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const ENDS = /\s*\/>/y;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

/**
 * What a piece of configuration names: all that has an id, down to operations and rules, what these refer to, and the attributes of nodes. Reads the text as it is, without a model of it: what is
 * found is only searched by, and a document may hold thousands of them.
 *
 * @param xml one element, or a document
 * @param ofNode whether it is a part of a node's entry
 */
export function namesInConfiguration(xml: string, ofNode = false): readonly string[] {
  const names = new Set<string>();
  let inNode = ofNode;
  for (let place = xml.indexOf('<'); place >= 0; place = xml.indexOf('<', place)) {
    if (xml.startsWith('<!--', place)) {
      const end = xml.indexOf('-->', place + 4);
      if (end < 0) break;
      place = end;
      continue;
    }
    if (xml.startsWith('</node>', place)) inNode = ofNode;
    const [tag = '<', element = ''] = matchAt(ELEMENT, xml, place) ?? [];
    // What is known of nodes and resources is none of the configuration.
    if (element === 'status') break;
    place += tag.length;
    if (element === 'node') inNode = true;
    for (let found = matchAt(ATTRIBUTE, xml, place); found !== null; found = matchAt(ATTRIBUTE, xml, place)) {
      const [text, name = '', double, single] = found;
      place += text.length;
      const value = (double ?? single ?? '').replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity);
      if (name === 'devices') for (const device of value.split(',')) names.add(device.trim());
      else if (name === 'id' || REFERENCES.has(name) || (inNode && element === 'nvpair' && name === 'name')) names.add(value);
    }
    if (element === 'node' && matchAt(ENDS, xml, place) !== null) inNode = ofNode;
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
  const steps = parsePath(path) ?? [];
  const containing = steps.flatMap((step) => (step.id === undefined ? [] : [step.id]));
  const ofNode = steps.some(({ name }) => name === 'node');
  return [...new Set([id, ...containing, ...namesInConfiguration(before, ofNode), ...namesInConfiguration(after, ofNode)])];
}
