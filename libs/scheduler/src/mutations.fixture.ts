import { element, type XmlElement, type XmlNode } from '@systole/cib';
import fc from 'fast-check';
import { scenarioCib } from './scenarios/scenario-cib.js';
import { scenariosIn } from './scenarios/scenario-file.js';

/** The clusters of all scenarios of those files that aren't refused, as material for mutation. */
export function samplesOf(files: readonly string[]): readonly XmlElement[] {
  return files
    .flatMap((file) => scenariosIn(file))
    .filter(({ expected }) => !expected.some((line) => line.startsWith('refused')))
    .map(({ given }) => scenarioCib(given).cib.document);
}

export interface Mutation {
  readonly kind: 'drop' | 'double' | 'unset' | 'swap' | 'set';
  readonly place: number;
  readonly detail: number;
}

const values = [
  '',
  '0',
  '-1',
  'INFINITY',
  '-INFINITY',
  'true',
  'false',
  'Promoted',
  'Stopped',
  'n1',
  'n2',
  'p',
  'p:0',
  'c',
  'db',
  'web',
  'block',
  'stop_only',
  '10s',
  '%',
  '[',
  'x:y',
];

const everyElement = (root: XmlElement): XmlElement[] => {
  const found: XmlElement[] = [];
  const pending = [root];
  for (let at = pending.pop(); at; at = pending.pop()) {
    found.push(at);
    for (const child of at.children) if (child.kind === 'element') pending.push(child);
  }
  return found;
};

/** Changes one element somewhere in the document; what does not lie on the way there stays the same objects. */
export function mutate(root: XmlElement, mutation: Mutation): XmlElement {
  const all = everyElement(root).slice(1);
  const target = all[mutation.place % Math.max(all.length, 1)];
  if (!target) return root;
  const names = Object.keys(target.attributes);
  const name = names[mutation.detail % Math.max(names.length, 1)];
  const value = values[mutation.detail % values.length] ?? '';
  const changed = (): XmlNode[] => {
    switch (mutation.kind) {
      case 'drop':
        return [];
      case 'double':
        return [target, target];
      case 'unset':
        return [
          element(target.name, Object.fromEntries(Object.entries(target.attributes).filter(([key]) => key !== name)), target.children),
        ];
      case 'swap':
        return [element(target.name, target.attributes, [...target.children].reverse())];
      case 'set':
        return [name === undefined ? target : element(target.name, { ...target.attributes, [name]: value }, target.children)];
    }
  };
  const rebuild = (at: XmlElement): XmlElement => {
    const children = at.children.flatMap((child) => (child === target ? changed() : child.kind === 'element' ? [rebuild(child)] : [child]));
    const same = children.length === at.children.length && children.every((child, index) => child === at.children[index]);
    return same ? at : element(at.name, at.attributes, children);
  };
  return rebuild(root);
}

/** One to six changes of a document. */
export const mutations = fc.array(
  fc.record({
    kind: fc.constantFrom('drop' as const, 'double' as const, 'unset' as const, 'swap' as const, 'set' as const),
    place: fc.nat(10_000),
    detail: fc.nat(10_000),
  }),
  { minLength: 1, maxLength: 6 },
);
