import type { CibProblem } from '../document/cib-refused.js';
import { firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { xmlId } from './attribute-types.js';
import type { AttributeType } from './attribute-types.js';
import type { ElementType, Occurrence } from './element-type.js';
import { CIB_TYPE, ELEMENT_TYPES } from './element-types.js';
import { problemStep } from './problem-path.js';
import { checkReferences } from './references.js';
import { CURRENT_SCHEMA, NO_SCHEMA } from './schema-names.js';

/**
 * Everything that is wrong with a document of the current schema: unknown elements and attributes, missing and malformed
 * attributes, wrong counts of children, repeated ids, references to what is not there. A document of schema `none` asks not to be validated and
 * has no problems. The status section is not looked at.
 *
 * References are stricter than the scheduler's own reading, which passes over a constraint on what does not exist (specification 01 §9): whoever
 * submits one has mistyped a name, and nothing would tell.
 */
export function validateCib(document: XmlElement): CibProblem[] {
  if (document.attributes['validate-with'] === NO_SCHEMA && document.name === 'cib') return [];
  const validator = new Validator();
  validator.root(document);
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration !== undefined) checkReferences(configuration, validator.problems);
  return validator.problems;
}

type Children = NonNullable<ElementType['children']>;

class Validator {
  readonly problems: CibProblem[] = [];
  private readonly ids = new Map<string, XmlElement>();
  private readonly nodeIds = new Map<string, XmlElement>();
  private readonly nodeNames = new Map<string, XmlElement>();

  root(document: XmlElement): void {
    if (document.name !== 'cib') {
      this.error(document, `/${document.name}`, 'the root element must be <cib>');
      return;
    }
    this.attributes(document, CIB_TYPE, '/cib');
    const schema = document.attributes['validate-with'];
    if (schema !== undefined && schema !== CURRENT_SCHEMA) {
      this.error(document, '/cib', `names the schema ${schema}: upgrade the document to ${CURRENT_SCHEMA}`, 'validate-with');
    }
    this.children(document, { configuration: { occurs: '1' }, status: { occurs: '?' } }, '/cib');
  }

  private element(source: XmlElement, type: ElementType, path: string): void {
    this.attributes(source, type, path);
    if (source.name === 'node') this.uniqueNode(source, path);
    const wrong = type.check?.(source);
    if (wrong !== undefined) this.error(source, path, `<${source.name}> ${wrong}`);
    this.children(source, type.children ?? {}, path);
  }

  private attributes(source: XmlElement, { required = {}, optional = {} }: ElementType, path: string): void {
    for (const name of Object.keys(required)) {
      if (source.attributes[name] === undefined) this.error(source, path, `<${source.name}> needs the attribute ${name}`, name);
    }
    for (const [name, value] of Object.entries(source.attributes)) {
      const type: AttributeType | undefined = ownEntry(required, name) ?? ownEntry(optional, name);
      const wrong = type?.(value);
      if (type === undefined) {
        const known = [...Object.keys(required), ...Object.keys(optional)];
        this.error(
          source,
          path,
          `<${source.name}> has no attribute ${name}: ${known.length === 0 ? 'it has none' : `known are ${known.join(', ')}`}`,
          name,
        );
      } else if (wrong !== undefined) this.error(source, path, `${name}: ${wrong}`, name);
      else if (type === xmlId) this.unique(this.ids, value, source, path, name);
    }
  }

  /** Checks the children's names and counts, then each child. */
  private children(source: XmlElement, allowed: Children, path: string): void {
    const counts = new Map<string, number>();
    for (const child of source.children) {
      if (child.kind !== 'element') continue;
      const count = (counts.get(child.name) ?? 0) + 1;
      counts.set(child.name, count);
      const childPath = `${path}/${problemStep(child, count)}`;
      const rule = ownEntry(allowed, child.name);
      if (rule === undefined) {
        const names = Object.keys(allowed);
        this.error(
          child,
          childPath,
          `<${child.name}> is not known in <${source.name}>: ${names.length === 0 ? 'it has no children' : `known are ${names.join(', ')}`}`,
        );
        continue;
      }
      if (count > 1 && isSingle(rule.occurs)) this.error(child, childPath, `<${source.name}> has more than one <${child.name}>`);
      const type = rule.type ?? ownEntry(ELEMENT_TYPES, child.name);
      if (type !== undefined) this.element(child, type, childPath);
    }
    for (const [name, { occurs }] of Object.entries(allowed)) {
      if (isRequired(occurs) && !counts.has(name)) this.error(source, path, `<${source.name}> needs a <${name}>`);
    }
  }

  private unique(taken: Map<string, XmlElement>, id: string, source: XmlElement, path: string, attribute: string): void {
    const first = taken.get(id);
    if (first === undefined) {
      taken.set(id, source);
      return;
    }
    const where = first.line === undefined ? '' : ` on line ${first.line}`;
    this.error(source, path, `${attribute}: "${id}" is taken by <${first.name}>${where}: choose another`, attribute);
  }

  /** Node ids are no XML ids: they are unique among nodes only, and so are names. */
  private uniqueNode(source: XmlElement, path: string): void {
    const { id, uname } = source.attributes;
    if (id !== undefined) this.unique(this.nodeIds, id, source, path, 'id');
    if (uname !== undefined) this.unique(this.nodeNames, uname.toLowerCase(), source, path, 'uname');
  }

  private error(source: XmlElement, path: string, message: string, attribute?: string): void {
    const place = { path, element: source.name, id: source.attributes['id'], line: source.line, message };
    this.problems.push(attribute === undefined ? place : { ...place, attribute });
  }
}

function isSingle(occurs: Occurrence): boolean {
  return occurs === '?' || occurs === '1';
}

function isRequired(occurs: Occurrence): boolean {
  return occurs === '+' || occurs === '1';
}

/** A table's own entry: names come from documents, and must not find what objects inherit. */
function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
