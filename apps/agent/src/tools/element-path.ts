import { childElements, type XmlElement } from '@systole/cib';
import { EXIT, ToolFailure } from './tool.js';

/** One step of a path: which elements, how deep, with which attributes. */
interface Step {
  /** Any depth (`//`) or direct children (`/`). */
  readonly deep: boolean;
  /** Element name, or `*`. */
  readonly name: string;
  /** Attribute and value; without value it only has to be there. */
  readonly conditions: readonly { readonly attribute: string; readonly value?: string }[];
}

const STEP = /^(\/\/?)([A-Za-z_][\w.-]*|\*)((?:\[[^\]]*\])*)/;
const CONDITION = /^\s*@([A-Za-z_][\w.:#-]*)\s*(?:=\s*(?:'([^']*)'|"([^"]*)"))?\s*$/;

/**
 * The elements that a simple XPath names: steps with `/` or `//`, element names or `*`, and attribute conditions joined by `and`, which is what
 * resource agents ask with, e.g. `//node_state[@crmd='online']//nvpair[@name='x']`.
 * @throws {ToolFailure} for anything else
 */
export function findByPath(root: XmlElement, path: string): XmlElement[] {
  // The document is the parent of the root element.
  let found: readonly XmlElement[] = [{ kind: 'element', name: '', attributes: {}, children: [root] }];
  for (const step of parsePath(path)) {
    const next = found.flatMap((element) =>
      (step.deep ? descendants(element) : childElements(element)).filter((one) => matches(one, step)),
    );
    found = [...new Set(next)];
  }
  return [...found];
}

function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  let rest = path.trim();
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (match === null) throw unsupported(path);
    const [whole, slashes, name = '', brackets = ''] = match;
    const texts = [...brackets.matchAll(/\[([^\]]*)\]/g)].flatMap(([, inside = '']) => inside.split(/\sand\s/));
    steps.push({ deep: slashes === '//', name, conditions: texts.map((text) => parseCondition(text, path)) });
    rest = rest.slice(whole.length);
  }
  if (steps.length === 0) throw unsupported(path);
  return steps;
}

function parseCondition(text: string, path: string): Step['conditions'][number] {
  const match = CONDITION.exec(text);
  const attribute = match?.[1];
  if (attribute === undefined) throw unsupported(path);
  const value = match?.[2] ?? match?.[3];
  return value === undefined ? { attribute } : { attribute, value };
}

function unsupported(path: string): ToolFailure {
  return new ToolFailure(
    EXIT.UNIMPLEMENTED,
    `the XPath ${path} is more than the tools for agents understand: /, //, names and [@attribute='value']`,
  );
}

function matches(element: XmlElement, { name, conditions }: Step): boolean {
  if (name !== '*' && element.name !== name) return false;
  return conditions.every(({ attribute, value }) => {
    const actual = element.attributes[attribute];
    return value === undefined ? actual !== undefined : actual === value;
  });
}

function descendants(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => [child, ...descendants(child)]);
}
