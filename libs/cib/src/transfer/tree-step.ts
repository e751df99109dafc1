/**
 * One step of making a tree from an earlier one. The steps of a list of children stand in the order of the new list; `edit` and `open` are followed by the
 * steps of their own children, up to their `close`. Plain data, which may cross the boundary of a thread. The outermost list holds the root alone.
 */
export type TreeStep =
  /** Children of the known list that are the same. */
  | { readonly step: 'keep'; readonly from: number; readonly count: number }
  /** A child of the known list with other children, and with other attributes when they are named. */
  | {
      readonly step: 'edit';
      readonly index: number;
      /** What is known at that index must have this name, and so many children: otherwise the two sides do not know the same tree. */
      readonly name: string;
      readonly children: number;
      readonly attributes?: Readonly<Record<string, string>>;
    }
  /** A new element whose children follow. */
  | { readonly step: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly step: 'close' }
  /** New elements with all that is in them, as XML text. */
  | { readonly step: 'read'; readonly xml: string }
  | { readonly step: 'comment'; readonly text: string };

/** A part of what one side tells the other of a tree, in order. */
export interface TreeMessage {
  /** Which tree. */
  readonly key: string;
  /** With the first part: from what the tree is made. */
  readonly begins?: { readonly from: 'nothing' } | { readonly from: 'revision'; readonly revision: number };
  readonly steps: readonly TreeStep[];
  /** With the last part: by which number the tree is called from now on, when its changes are told. */
  readonly ends?: { readonly revision: number };
  /** Trees that may be forgotten. */
  readonly forget: readonly string[];
}
