import { element, type XmlElement } from '@systole/cib';
import { ruleElement } from './scenario-rule.js';

/** Splits `name=value` words from the rest; a single `=` is for the eye only. */
export function split(words: readonly string[]): { plain: string[]; pairs: Record<string, string> } {
  const plain: string[] = [];
  const pairs: Record<string, string> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) pairs[word.slice(0, at)] = word.slice(at + 1);
    else if (word !== '=') plain.push(word);
  }
  return { plain, pairs };
}

/** A set of nvpairs: `[id=ID] [score=S] name=value ... [rule RULE]`. */
export function nvpairSet(name: string, defaultId: string, words: readonly string[]): XmlElement {
  const at = words.indexOf('rule');
  const { id = defaultId, score, ...values } = split(at < 0 ? words : words.slice(0, at)).pairs;
  const rule = at < 0 ? [] : [ruleElement(`${id}-rule`, {}, words.slice(at + 1))];
  const pairs = Object.entries(values).map(([key, value]) => element('nvpair', { id: `${id}-${key}`, name: key, value }));
  return element(name, { id, ...(score === undefined ? {} : { score }) }, [...rule, ...pairs]);
}

/** A set of these values without rule or score; none when there are no values. */
export function plainSet(name: string, id: string, values: Readonly<Record<string, string>>): XmlElement[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  return [
    element(
      name,
      { id },
      entries.map(([key, value]) => element('nvpair', { id: `${id}-${key}`, name: key, value })),
    ),
  ];
}

/** The attributes with the changes made; the value `-` takes an attribute away. */
export function changed(attributes: Readonly<Record<string, string>>, changes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...attributes, ...changes }).filter(([, value]) => value !== '-'));
}
