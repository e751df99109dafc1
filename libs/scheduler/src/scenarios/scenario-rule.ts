import { element, type XmlElement } from '@systole/cib';

/**
 * Reads a rule in the words of pcs: conditions joined by `and` or `or`, with blanks around parentheses; without words it has no condition:
 *
 * - `defined A`, `not_defined A`, `A eq|ne|lt|lte|gt|gte [string|integer|number|version] [param|meta] VALUE`
 * - `date gt|lt DATE`, `date in_range [DATE] to [DATE|duration hours=N ...]`, `date-spec hours=N ...`
 * - `resource [STANDARD]:[PROVIDER]:[TYPE]`, `op NAME [interval=I]`
 *
 * @throws {Error} when it can't be read.
 */
export function ruleElement(id: string, attributes: Readonly<Record<string, string>>, words: readonly string[]): XmlElement {
  if (words.length === 0) return element('rule', { id, ...attributes });
  const reader = new RuleReader(id, [...words]);
  const parsed = reader.alternatives();
  if (reader.rest.length > 0) throw new Error(`"${reader.rest.join(' ')}" is left over of the rule`);
  const { attributes: own, children } = parsed.name === 'rule' ? parsed : { attributes: {}, children: [parsed] };
  return element('rule', { ...own, id, ...attributes }, children);
}

const operations = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']);
const types = new Set(['string', 'integer', 'number', 'version']);

class RuleReader {
  private count = 0;

  constructor(
    private readonly id: string,
    readonly rest: string[],
  ) {}

  alternatives(): XmlElement {
    return this.joined('or', () => this.joined('and', () => this.condition()));
  }

  private joined(operation: 'and' | 'or', next: () => XmlElement): XmlElement {
    const parts = [next()];
    while (this.rest[0] === operation) {
      this.rest.shift();
      parts.push(next());
    }
    const [only] = parts;
    return only && parts.length === 1 ? only : element('rule', { id: this.nextId(), 'boolean-op': operation }, parts);
  }

  private condition(): XmlElement {
    const word = this.take();
    if (word === '(') {
      const inner = this.alternatives();
      if (this.take() !== ')') throw new Error('a parenthesis is not closed');
      return inner;
    }
    const id = this.nextId();
    if (word === 'defined' || word === 'not_defined') return element('expression', { id, attribute: this.take(), operation: word });
    if (word === 'date') return this.date(id);
    if (word === 'date-spec')
      return element('date_expression', { id, operation: 'date_spec' }, [element('date_spec', { id: `${id}-spec`, ...this.pairs() })]);
    if (word === 'resource') {
      const [standard = '', provider = '', type = ''] = this.take().split(':');
      const given = Object.entries({ class: standard, provider, type }).filter(([, value]) => value !== '');
      return element('rsc_expression', { id, ...Object.fromEntries(given) });
    }
    if (word === 'op') return element('op_expression', { id, name: this.take(), ...this.pairs() });
    return this.comparison(id, word);
  }

  private comparison(id: string, attribute: string): XmlElement {
    const operation = this.take();
    if (!operations.has(operation)) throw new Error(`"${operation}" compares nothing`);
    const type = types.has(this.rest[0] ?? '') ? { type: this.take() } : {};
    const source = this.rest[0] === 'param' || this.rest[0] === 'meta' ? { 'value-source': this.take() } : {};
    return element('expression', { id, attribute, operation, ...type, ...source, value: this.take() });
  }

  private date(id: string): XmlElement {
    const operation = this.take();
    if (operation === 'gt') return element('date_expression', { id, operation, start: this.take() });
    if (operation === 'lt') return element('date_expression', { id, operation, end: this.take() });
    const start = this.rest[0] === 'to' ? {} : { start: this.take() };
    if (this.take() !== 'to') throw new Error('"date in_range" needs "to"');
    if (this.rest[0] !== 'duration') {
      const end = this.rest.length === 0 || ['and', 'or', ')'].includes(this.rest[0] ?? '') ? {} : { end: this.take() };
      return element('date_expression', { id, operation, ...start, ...end });
    }
    this.take();
    return element('date_expression', { id, operation, ...start }, [element('duration', { id: `${id}-duration`, ...this.pairs() })]);
  }

  private pairs(): Record<string, string> {
    const found: Record<string, string> = {};
    for (let at = this.rest[0]?.indexOf('=') ?? -1; at > 0; at = this.rest[0]?.indexOf('=') ?? -1) {
      const word = this.take();
      found[word.slice(0, at)] = word.slice(at + 1);
    }
    return found;
  }

  private take(): string {
    const word = this.rest.shift();
    if (word === undefined) throw new Error('the rule ends too early');
    return word;
  }

  private nextId(): string {
    this.count += 1;
    return `${this.id}-${this.count}`;
  }
}
