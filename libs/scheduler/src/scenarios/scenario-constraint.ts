import { element, type XmlElement } from '@systole/cib';
import { ruleElement } from './scenario-rule.js';
import { split } from './scenario-words.js';

/**
 * Reads a constraint in the words of pcs; `[k=v ...]` are further attributes of its element:
 *
 * - `location RSC|regexp%PATTERN|set A B ... prefers|avoids NODE [SCORE] [k=v ...]`
 * - `location RSC|regexp%PATTERN rule [score=S|score-attribute=A] [role=R] [discovery=D] RULE`
 * - `colocation A with B [SCORE] [k=v ...]`, `order [ACTION] A then [ACTION] B [k=v ...]`, `ticket T RSC [k=v ...]`
 * - `location|colocation|order|ticket set A B ... [k=v ...] set C ... [setoptions k=v ...]`
 *
 * @throws {Error} when it can't be read.
 */
export function constraintElement(id: string, kind: string, words: readonly string[]): XmlElement {
  if (words[0] === 'set' && !words.includes('prefers') && !words.includes('avoids')) return overSets(id, kind, words);
  switch (kind) {
    case 'location':
      return location(id, words);
    case 'colocation': {
      const { plain, pairs } = split(words);
      const [rsc = '', , withRsc = '', score] = plain;
      return element('rsc_colocation', { id, rsc, 'with-rsc': withRsc, score: score ?? 'INFINITY', ...pairs });
    }
    case 'order': {
      const { plain, pairs } = split(words);
      const at = plain.indexOf('then');
      if (at < 0) throw new Error('an order needs "then"');
      const first = plain.slice(0, at);
      const then = plain.slice(at + 1);
      return element('rsc_order', {
        id,
        first: first.at(-1) ?? '',
        then: then.at(-1) ?? '',
        ...(first.length > 1 ? { 'first-action': first[0] ?? '' } : {}),
        ...(then.length > 1 ? { 'then-action': then[0] ?? '' } : {}),
        ...pairs,
      });
    }
    case 'ticket': {
      const { plain, pairs } = split(words);
      return element('rsc_ticket', { id, ticket: plain[0] ?? '', rsc: plain[1] ?? '', ...pairs });
    }
    default:
      throw new Error(`"${kind}" is no constraint`);
  }
}

/** `resource_set` elements of the words `set A B [k=v ...] set C ...`. */
function resourceSets(id: string, words: readonly string[]): XmlElement[] {
  const sets: string[][] = [];
  for (const word of words) {
    if (word === 'set') sets.push([]);
    else sets.at(-1)?.push(word);
  }
  return sets.map((members, index) => {
    const { plain, pairs } = split(members);
    return element(
      'resource_set',
      { id: `${id}-set-${index + 1}`, ...pairs },
      plain.map((member) => element('resource_ref', { id: member })),
    );
  });
}

function overSets(id: string, kind: string, words: readonly string[]): XmlElement {
  const at = words.indexOf('setoptions');
  const sets = resourceSets(id, at < 0 ? words : words.slice(0, at));
  return element(`rsc_${kind}`, { id, ...split(at < 0 ? [] : words.slice(at + 1)).pairs }, sets);
}

function location(id: string, words: readonly string[]): XmlElement {
  const at = words.findIndex((word) => word === 'prefers' || word === 'avoids' || word === 'rule');
  if (at < 0) throw new Error('a location needs "prefers", "avoids" or "rule"');
  const [subject = ''] = words;
  const sets = subject === 'set' ? resourceSets(id, words.slice(0, at)) : [];
  const pattern = subject.startsWith('regexp%') ? { 'rsc-pattern': subject.slice(7) } : { rsc: subject };
  const target = sets.length > 0 ? {} : pattern;
  const wanted = (discovery: string | undefined): Record<string, string> =>
    discovery === undefined ? {} : { 'resource-discovery': discovery };
  if (words[at] === 'rule') {
    const start = words.findIndex((word, index) => index > at && !/^[a-z-]+=/.test(word));
    const { discovery, ...pairs } = split(words.slice(at + 1, start < 0 ? undefined : start)).pairs;
    const rule = ruleElement(`${id}-rule`, pairs, start < 0 ? [] : words.slice(start));
    return element('rsc_location', { id, ...target, ...wanted(discovery) }, [rule]);
  }
  const { plain, pairs } = split(words.slice(at + 1));
  const [node = '', score = words[at] === 'avoids' ? '-INFINITY' : 'INFINITY'] = plain;
  const { discovery, ...more } = pairs;
  return element('rsc_location', { id, ...target, node, score, ...wanted(discovery), ...more }, sets);
}
