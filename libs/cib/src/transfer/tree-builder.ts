import type { XmlElement, XmlNode } from '../xml/element.js';
import { FragmentReader } from './fragment-reader.js';
import type { TreeStep } from './tree-step.js';

/** The steps that came do not fit the tree that is known: it has to be told whole. */
export class TreesDiverged extends Error {
  override readonly name = 'TreesDiverged';
}

interface Level {
  readonly known: readonly XmlNode[];
  readonly make: (children: readonly XmlNode[]) => XmlElement;
  readonly children: XmlNode[];
}

/** Makes a tree by its steps (see `treeSteps`). What was known is not changed, and is shared. */
export class TreeBuilder {
  private readonly levels: Level[];

  constructor(
    known: XmlElement | undefined,
    private readonly reader: FragmentReader,
  ) {
    const impossible = (): never => {
      throw new TreesDiverged('the root was closed twice');
    };
    this.levels = [{ known: known === undefined ? [] : [known], make: impossible, children: [] }];
  }

  /** @throws {TreesDiverged} when the step does not fit what is known; then nothing is to be made of this any more */
  add(step: TreeStep): void {
    const level = this.level();
    switch (step.step) {
      case 'keep': {
        const kept = level.known.slice(step.from, step.from + step.count);
        if (kept.length !== step.count) throw new TreesDiverged(`${step.count} children from ${step.from} on are not all known`);
        for (const node of kept) level.children.push(node);
        return;
      }
      case 'edit': {
        const { index, name, attributes } = step;
        const known = level.known[index];
        if (known?.kind !== 'element' || known.name !== name || known.children.length !== step.children)
          throw new TreesDiverged(`child ${index} is not known as <${name}> with ${step.children} children`);
        const make = (children: readonly XmlNode[]): XmlElement => ({
          ...known,
          ...(attributes === undefined ? {} : { attributes }),
          children,
        });
        this.levels.push({ known: known.children, make, children: [] });
        return;
      }
      case 'open': {
        const { name, attributes } = step;
        this.levels.push({ known: [], make: (children) => ({ kind: 'element', name, attributes, children }), children: [] });
        return;
      }
      case 'close':
        this.levels.pop();
        this.level().children.push(level.make(level.children));
        return;
      case 'read':
        for (const node of this.reader.read(step.xml)) level.children.push(node);
        return;
      case 'comment':
        level.children.push({ kind: 'comment', text: step.text });
    }
  }

  /** @throws {TreesDiverged} when there is no complete tree */
  tree(): XmlElement {
    const [root, more] = this.level().children;
    if (this.levels.length !== 1 || root?.kind !== 'element' || more !== undefined) throw new TreesDiverged('the steps made no tree');
    return root;
  }

  private level(): Level {
    const level = this.levels.at(-1);
    if (level === undefined) throw new TreesDiverged('the root was closed twice');
    return level;
  }
}
