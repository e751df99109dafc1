import type { XmlElement, XmlNode } from '@systole/cib';

/** An element that is being changed. */
export interface Draft {
  name: string;
  attributes: Record<string, string>;
  children: Draft[];
}

/** A copy that may be changed; comments are left out. */
export function draftOf({ name, attributes, children }: XmlElement): Draft {
  return { name, attributes: { ...attributes }, children: children.filter(isElement).map(draftOf) };
}

/** A deep copy. */
export function copyDraft({ name, attributes, children }: Draft): Draft {
  return { name, attributes: { ...attributes }, children: children.map(copyDraft) };
}

export function finishDraft({ name, attributes, children }: Draft): XmlElement {
  return { kind: 'element', name, attributes, children: children.map(finishDraft) };
}

/** An element with its parent. */
export interface Spot {
  readonly draft: Draft;
  readonly parent: Draft;
}

/** Everything below the root, parents first. */
export function spotsBelow(root: Draft): Spot[] {
  const spots: Spot[] = [];
  const pending: Draft[] = [root];
  for (let parent = pending.pop(); parent; parent = pending.pop()) {
    for (const draft of parent.children) {
      spots.push({ draft, parent });
      pending.push(draft);
    }
  }
  return spots;
}

/** How many elements a tree has. */
export function countDrafts(root: Draft): number {
  return spotsBelow(root).length + 1;
}

const isElement = (node: XmlNode): node is XmlElement => node.kind === 'element';
