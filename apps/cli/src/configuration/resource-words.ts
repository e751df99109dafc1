import { UsageError } from '../exit-code.js';

/** What follows a resource's id and agent on the command line, as pcs and crmsh have it: `param=value… op monitor interval=10s meta … clone`. */
export interface ResourceWords {
  readonly parameters: readonly string[];
  readonly operations: readonly OperationWords[];
  readonly meta: readonly string[];
  readonly utilization: readonly string[];
  readonly within: Within | undefined;
}

export interface OperationWords {
  readonly name: string;
  readonly values: readonly string[];
}

/** What a resource is put into: a clone of its own, or a group that there is or that is made. */
export type Within = WithinClone | { readonly kind: 'group' | 'bundle'; readonly id: string };

export interface WithinClone {
  readonly kind: 'clone' | 'promotable';
  /** Made of the resource's id when undefined. */
  readonly id: string | undefined;
  readonly meta: readonly string[];
}

const KEYWORDS = ['params', 'op', 'meta', 'utilization', 'clone', 'promotable', 'group', 'bundle'] as const;
type Keyword = (typeof KEYWORDS)[number];

interface Section {
  readonly keyword: Keyword;
  readonly words: readonly string[];
}

/** @throws {UsageError} saying which word does not fit */
export function readResourceWords(words: readonly string[]): ResourceWords {
  const sections = sectionsOf(words);
  const of = (keyword: Keyword): readonly string[] => sections.flatMap((section) => (section.keyword === keyword ? section.words : []));
  const within = sections.filter(({ keyword }) => ['clone', 'promotable', 'group', 'bundle'].includes(keyword));
  if (within.length > 1) throw new UsageError('give one of clone, promotable, group and bundle');
  return {
    parameters: of('params'),
    operations: sections.flatMap((section) => (section.keyword === 'op' ? operationsIn(section.words) : [])),
    meta: of('meta'),
    utilization: of('utilization'),
    within: within[0] === undefined ? undefined : withinOf(within[0]),
  };
}

function sectionsOf(words: readonly string[]): readonly Section[] {
  const sections: { keyword: Keyword; words: string[] }[] = [{ keyword: 'params', words: [] }];
  for (const word of words) {
    const keyword = KEYWORDS.find((known) => known === word);
    const current = sections.at(-1)?.keyword;
    // As pcs has it: meta-attributes after the clone are the clone's.
    if (keyword === 'meta' && (current === 'clone' || current === 'promotable')) continue;
    if (keyword === undefined) sections.at(-1)?.words.push(word);
    else sections.push({ keyword, words: [] });
  }
  return sections;
}

/** `op monitor interval=10s start timeout=60s`: each word without a value begins an operation. */
function operationsIn(words: readonly string[]): readonly OperationWords[] {
  const operations: { name: string; values: string[] }[] = [];
  for (const word of words) {
    if (!word.includes('=')) operations.push({ name: word, values: [] });
    else if (operations.length === 0) throw new UsageError(`op ${word}: the operation comes first, e.g. op monitor interval=10s`);
    else operations.at(-1)?.values.push(word);
  }
  if (operations.length === 0) throw new UsageError('op: which one? e.g. op monitor interval=10s');
  return operations;
}

function withinOf({ keyword, words }: Section): Within {
  if (keyword === 'group' || keyword === 'bundle') {
    const [id, ...more] = words;
    if (id === undefined || more.length > 0) throw new UsageError(`${keyword} takes one id`);
    return { kind: keyword, id };
  }
  const [first, ...rest] = words;
  const isId = first !== undefined && !first.includes('=');
  return { kind: keyword === 'promotable' ? keyword : 'clone', id: isId ? first : undefined, meta: isId ? rest : words };
}

/** The attributes of an agent: `ocf:heartbeat:pgsql`, `systemd:nginx`, `stonith:fence_ipmilan`, or `@template`. @throws {UsageError} */
export function agentAttributes(agent: string): Readonly<Record<string, string>> {
  if (agent.startsWith('@') && agent.length > 1) return { template: agent.slice(1) };
  const parts = agent.split(':');
  if (parts.every((part) => part !== '')) {
    const [first = '', second = '', third] = parts;
    if (parts.length === 3 && first === 'ocf' && third !== undefined) return { class: 'ocf', provider: second, type: third };
    if (parts.length === 2 && first !== 'ocf') return { class: first, type: second };
    // An instance of a systemd unit may have colons.
    if (parts.length > 2 && first !== 'ocf') return { class: first, type: parts.slice(1).join(':') };
  }
  throw new UsageError(
    `"${agent}" is no agent: give ocf:PROVIDER:TYPE (e.g. ocf:heartbeat:IPaddr2), CLASS:TYPE (e.g. systemd:nginx, stonith:fence_ipmilan), or @TEMPLATE`,
  );
}
