import type { XmlElement } from '../xml/element.js';

/** Controls, format characters (they turn the direction of text, or have no width), other ends of lines, blanks that are none, and what is shown as nothing: fillers of scripts, and braille without dots, which Unicode calls a symbol. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** What attributes hold that are no names, ids or references: people may write there what they like. */
const NO_NAMES: ReadonlySet<string> = new Set(['value', 'description']);

/** How much of a name is repeated, characters. */
const SHOWN = 80;

/** A name that looks like another one, or steers what shows it. */
export interface UnseenCharacter {
  /** The first one, e.g. `U+202E`. */
  readonly character: string;
  /** The name, with all of them as `\u{202e}`. */
  readonly shown: string;
}

/** What in a name can't be seen; undefined for nothing. */
export function unseenIn(name: string): UnseenCharacter | undefined {
  const at = name.search(UNSEEN);
  if (at === -1) return undefined;
  const shown = name.replace(UNSEEN, (character) => `\\u{${hexOf(character)}}`);
  return { character: `U+${hexOf(name.slice(at)).toUpperCase().padStart(4, '0')}`, shown: shown.slice(0, SHOWN) };
}

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return text.replace(UNSEEN, '').trim() === '';
}

/** The attributes of an element whose names, ids or references hold something that can't be seen. */
export function unseenNames({ attributes }: Pick<XmlElement, 'attributes'>): readonly (UnseenCharacter & { readonly attribute: string })[] {
  return Object.entries(attributes).flatMap(([attribute, text]) => {
    const unseen = NO_NAMES.has(attribute) ? undefined : unseenIn(text);
    return unseen === undefined ? [] : [{ attribute, ...unseen }];
  });
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
