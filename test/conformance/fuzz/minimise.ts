import { parseXml, serializeXml, XmlError } from '@systole/cib';
import { type Draft, draftOf, finishDraft, spotsBelow } from './draft.js';
import type { FuzzInput } from './input.js';

/** How long to go on, in ms: a breach may take a minute to show. */
const MINIMISING_MS = 300_000;

/**
 * Takes elements and attributes out of a failing input as long as it still fails in the same way: what fast-check leaves is a whole case with few
 * mutations, and the defect hides in it. A text that is not well-formed stays as it is.
 */
export async function minimise(input: FuzzInput, stillFails: (input: FuzzInput) => Promise<boolean>): Promise<FuzzInput> {
  let root: Draft;
  try {
    root = draftOf(parseXml(input.text));
  } catch (error) {
    if (error instanceof XmlError) return input;
    throw error;
  }
  const end = Date.now() + MINIMISING_MS;
  const fails = (): Promise<boolean> => {
    return stillFails({ ...input, text: serializeXml(finishDraft(root)) });
  };
  let shrunk = true;
  while (shrunk && Date.now() < end) {
    shrunk = false;
    for (const { draft, parent } of spotsBelow(root)) {
      const index = parent.children.indexOf(draft);
      if (index < 0 || Date.now() >= end) continue;
      parent.children.splice(index, 1);
      if (await fails()) shrunk = true;
      else parent.children.splice(index, 0, draft);
    }
    for (const draft of [root, ...spotsBelow(root).map((spot) => spot.draft)]) {
      for (const [name, value] of Object.entries(draft.attributes)) {
        if (Date.now() >= end) break;
        const rest = Object.fromEntries(Object.entries(draft.attributes).filter(([key]) => key !== name));
        const whole = draft.attributes;
        draft.attributes = rest;
        if (await fails()) shrunk = true;
        else draft.attributes = { ...whole, [name]: value };
      }
    }
  }
  return { ...input, text: serializeXml(finishDraft(root)) };
}
