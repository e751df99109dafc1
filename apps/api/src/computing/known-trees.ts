import { TreeReceiver, TreesDiverged, type TreeMessage, type XmlElement } from '@systole/cib';

/** The CIBs that this computing thread was told of last. */
const trees = new TreeReceiver();
/** Why the one that was told last is not known. */
let broken: Error | undefined;

/** Takes in the next part of what is told of a CIB; what is wrong with it is told by the task that needs it. */
export function learnTree(message: TreeMessage): void {
  if (message.begins !== undefined) broken = undefined;
  if (broken !== undefined) return;
  try {
    trees.receive(message);
  } catch (error) {
    broken = error instanceof Error ? error : new TreesDiverged(String(error));
  }
}

/** @throws {TreesDiverged} when it is not known as it was told */
export function knownTree(key: string): XmlElement {
  if (broken !== undefined) throw broken;
  return trees.tree(key);
}
