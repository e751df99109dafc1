import { childElements, type XmlElement } from '@systole/cib';
import { EXIT, ToolFailure } from './tool.js';

/** An element, and how it is reached. */
export interface Found {
  readonly element: XmlElement;
  /** As `cibadmin --node-path` writes it: names, with the id where there is one. */
  readonly path: string;
  /** What it was reached from; undefined for the document. */
  readonly parent?: Found;
}

/** What a condition is computed to. */
type Value = string | number | boolean | readonly string[];
/** A condition, computed for an element that stands at a place (from 1) among so many. */
type Expression = (context: { readonly element: XmlElement; readonly position: number; readonly size: number }) => Value;

interface Step {
  /** Any depth (`//`) or direct children (`/`). */
  readonly deep: boolean;
  /** Element name, `*`, or `..` for what contains it. */
  readonly name: string;
  readonly conditions: readonly Expression[];
}

/**
 * The elements that an XPath names, in document order: steps with `/` and `//`, names, `*` and `..`, conditions on attributes, children and places with `and`, `or`, `not()`,
 * comparisons, `contains()`, `starts-with()`, `string-length()`, `count()`, `position()`, `last()`, several paths with `|`. An attribute at the end names its element, as for cibadmin.
 *
 * @throws {ToolFailure} for anything else
 */
export function findByPath(root: XmlElement, path: string): readonly Found[] {
  const found = new Map<XmlElement, Found>();
  for (const steps of new PathParser(spelledOut(path)).paths()) for (const one of follow(root, steps)) found.set(one.element, one);
  const inOrder = new Map([...withPaths(root, '')].map((one, place) => [one.element, place]));
  return [...found.values()].sort((a, b) => (inOrder.get(a.element) ?? 0) - (inOrder.get(b.element) ?? 0));
}

/** The axis `descendant::` is another spelling of `//`, but where places are counted. Quoted text is left alone. */
function spelledOut(path: string): string {
  return path.replaceAll(
    /('[^']*'|"[^"]*")|\/{1,2}descendant::(?=[\w.*-]+(?![\w.*-]|\s*\[\s*\d))/g,
    (_whole, quoted?: string) => quoted ?? '//',
  );
}

function follow(root: XmlElement, steps: readonly Step[]): readonly Found[] {
  // The document is the parent of the root element.
  let found: readonly Found[] = [{ element: { kind: 'element', name: '', attributes: {}, children: [root] }, path: '' }];
  for (const step of steps) {
    const next = new Map<XmlElement, Found>();
    // Places are counted among the children of one parent.
    const parents = step.deep ? found.flatMap((one) => [one, ...below(one)]) : found;
    for (const parent of new Set(parents)) for (const one of selected(parent, step)) next.set(one.element, one);
    found = [...next.values()];
  }
  return found;
}

function selected(parent: Found, { name, conditions }: Step): readonly Found[] {
  let candidates = name === '..' ? containerOf(parent) : children(parent).filter(({ element }) => name === '*' || element.name === name);
  for (const condition of conditions) {
    const size = candidates.length;
    candidates = candidates.filter(({ element }, place) => {
      const value = condition({ element, position: place + 1, size });
      return typeof value === 'number' ? value === place + 1 : truth(value);
    });
  }
  return candidates;
}

function children(parent: Found): readonly Found[] {
  return childElements(parent.element).map((child) => ({ element: child, path: `${parent.path}/${stepTo(child)}`, parent }));
}

/** The document itself is no element that could be shown. */
function containerOf({ parent }: Found): readonly Found[] {
  return parent?.parent === undefined ? [] : [parent];
}

function below(found: Found): readonly Found[] {
  return children(found).flatMap((child) => [child, ...below(child)]);
}

function* withPaths(element: XmlElement, above: string): Generator<Found> {
  const path = `${above}/${stepTo(element)}`;
  yield { element, path };
  for (const child of childElements(element)) yield* withPaths(child, path);
}

function stepTo({ name, attributes: { id } }: XmlElement): string {
  return id === undefined ? name : `${name}[@id='${id}']`;
}

const TOKEN =
  /\s*(\/\/|\/|\[|\]|\(|\)|@|,|\||!=|<=|>=|=|<|>|\*|\.\.|\.|'[^']*'|"[^"]*"|\d+(?:\.\d+)?|[A-Za-z_][\w.-]*(?::[A-Za-z_*][\w.-]*)?)/y;

/** Deeper ones are nobody's question. */
const DEEPEST = 50;

class PathParser {
  private readonly tokens: string[] = [];
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    TOKEN.lastIndex = 0;
    const trimmed = text.trim();
    for (let place = 0; place < trimmed.length; place = TOKEN.lastIndex) {
      TOKEN.lastIndex = place;
      const token = TOKEN.exec(trimmed)?.[1];
      if (token === undefined) throw this.unsupported();
      this.tokens.push(token);
    }
  }

  paths(): readonly (readonly Step[])[] {
    const all = [this.path()];
    while (this.accept('|')) all.push(this.path());
    if (this.at < this.tokens.length) throw this.unsupported();
    return all;
  }

  private path(): readonly Step[] {
    const steps: Step[] = [];
    for (;;) {
      const deep = this.peek() === '//';
      if (!this.accept('//') && !this.accept('/')) break;
      if (this.accept('@')) {
        // The element that has it.
        const name = this.nameOrAny();
        const has: Expression = ({ element }) =>
          name === '*' ? Object.keys(element.attributes).length > 0 : element.attributes[name] !== undefined;
        const last = steps.pop();
        steps.push(
          deep || last === undefined ? { deep: true, name: '*', conditions: [has] } : { ...last, conditions: [...last.conditions, has] },
        );
        if (deep && last !== undefined) steps.splice(-1, 0, last);
        break;
      }
      const name = this.accept('..') ? '..' : this.nameOrAny();
      steps.push({ deep, name, conditions: this.conditions() });
    }
    if (steps.length === 0) throw this.unsupported();
    return steps;
  }

  private or(): Expression {
    this.depth += 1;
    if (this.depth > DEEPEST) throw this.unsupported();
    let left = this.and();
    while (this.accept('or')) left = either(left, this.and());
    this.depth -= 1;
    return left;
  }

  private and(): Expression {
    let left = this.comparison();
    while (this.accept('and')) left = both(left, this.comparison());
    return left;
  }

  private comparison(): Expression {
    const left = this.operand();
    for (const operator of ['=', '!=', '<', '>', '<=', '>='] as const) {
      if (this.accept(operator)) return compared(left, operator, this.operand());
    }
    return left;
  }

  private operand(): Expression {
    const token = this.next();
    if (token === '(') {
      const inner = this.or();
      this.expect(')');
      return inner;
    }
    if (token === '@') {
      const name = this.nameOrAny();
      return ({ element }) => (name === '*' ? Object.values(element.attributes) : [element.attributes[name] ?? []].flat());
    }
    const literal = /^(['"])(.*)\1$/s.exec(token)?.[2];
    if (literal !== undefined) return () => literal;
    if (/^\d/.test(token)) return () => Number(token);
    if (this.peek() === '(') return this.call(token);
    return this.child(token);
  }

  /** Children by name; their attribute when one follows. */
  private child(first: string): Expression {
    if (!/^([A-Za-z_*]|\.$)/.test(first)) throw this.unsupported();
    const steps: Step[] = first === '.' ? [] : [{ deep: false, name: first, conditions: [] }];
    let attribute: string | undefined;
    while (attribute === undefined && (this.peek() === '/' || this.peek() === '//')) {
      const deep = this.next() === '//';
      if (this.accept('@')) attribute = this.nameOrAny();
      else steps.push({ deep, name: this.nameOrAny(), conditions: this.conditions() });
    }
    return ({ element }) => {
      let found: readonly Found[] = [{ element, path: '' }];
      for (const step of steps)
        found = found.flatMap((one) => (step.deep ? [one, ...below(one)] : [one]).flatMap((parent) => selected(parent, step)));
      const name = attribute;
      return name === undefined ? found.map(() => '') : found.flatMap((one) => one.element.attributes[name] ?? []);
    };
  }

  private conditions(): readonly Expression[] {
    const conditions: Expression[] = [];
    while (this.accept('[')) {
      conditions.push(this.or());
      this.expect(']');
    }
    return conditions;
  }

  private call(name: string): Expression {
    this.expect('(');
    const args: Expression[] = [];
    if (!this.accept(')')) {
      do args.push(this.or());
      while (this.accept(','));
      this.expect(')');
    }
    const [first, second] = args;
    switch (`${name}/${args.length}`) {
      case 'last/0':
        return ({ size }) => size;
      case 'position/0':
        return ({ position }) => position;
      case 'true/0':
        return () => true;
      case 'false/0':
        return () => false;
      case 'name/0':
      case 'local-name/0':
        return ({ element }) => element.name;
    }
    if (first === undefined) throw this.unsupported();
    switch (`${name}/${args.length}`) {
      case 'not/1':
        return (context) => !truth(first(context));
      case 'count/1':
        return (context) => {
          const value = first(context);
          return typeof value === 'object' ? value.length : 1;
        };
      case 'string-length/1':
        return (context) => words(first(context)).length;
    }
    if (second === undefined) throw this.unsupported();
    switch (`${name}/${args.length}`) {
      case 'contains/2':
        return (context) => words(first(context)).includes(words(second(context)));
      case 'starts-with/2':
        return (context) => words(first(context)).startsWith(words(second(context)));
      default:
        throw this.unsupported();
    }
  }

  private nameOrAny(): string {
    const token = this.next();
    if (!/^([A-Za-z_]|\*$)/.test(token)) throw this.unsupported();
    return token;
  }

  private peek(): string | undefined {
    return this.tokens[this.at];
  }

  private accept(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.accept(token)) throw this.unsupported();
  }

  private next(): string {
    const token = this.peek();
    if (token === undefined) throw this.unsupported();
    this.at += 1;
    return token;
  }

  private unsupported(): ToolFailure {
    return new ToolFailure(
      EXIT.UNIMPLEMENTED,
      `the XPath ${this.text} is more than these tools understand, or none: see 'docs/guide/pacemakers-tools.md'`,
    );
  }
}

const either =
  (a: Expression, b: Expression): Expression =>
  (context) =>
    truth(a(context)) || truth(b(context));
const both =
  (a: Expression, b: Expression): Expression =>
  (context) =>
    truth(a(context)) && truth(b(context));

function truth(value: Value): boolean {
  return typeof value === 'object' ? value.length > 0 : Boolean(value);
}

/** The first of several, as strings are made of node sets. */
function words(value: Value): string {
  return typeof value === 'object' ? (value[0] ?? '') : String(value);
}

/** One of a set is enough. */
function compared(left: Expression, operator: '=' | '!=' | '<' | '>' | '<=' | '>=', right: Expression): Expression {
  return (context) => {
    const [a, b] = [left(context), right(context)];
    const all = (value: Value): readonly (string | number | boolean)[] => (typeof value === 'object' ? value : [value]);
    return all(a).some((x) => all(b).some((y) => holds(x, operator, y)));
  };
}

function holds(x: string | number | boolean, operator: '=' | '!=' | '<' | '>' | '<=' | '>=', y: string | number | boolean): boolean {
  const asNumbers = typeof x === 'number' || typeof y === 'number';
  const isSame = asNumbers ? Number(x) === Number(y) : String(x) === String(y);
  switch (operator) {
    case '=':
      return isSame;
    case '!=':
      return !isSame;
    case '<':
      return Number(x) < Number(y);
    case '>':
      return Number(x) > Number(y);
    case '<=':
      return Number(x) <= Number(y);
    case '>=':
      return Number(x) >= Number(y);
  }
}
