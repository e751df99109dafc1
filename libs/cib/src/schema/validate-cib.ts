import type { CibProblem } from '../document/cib-refused.js';
import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { idReference, xmlId } from './attribute-types.js';
import type { AttributeType } from './attribute-types.js';
import type { ElementType, Occurrence } from './element-type.js';
import { CIB_TYPE, ELEMENT_TYPES } from './element-types.js';
import { type Place, placeOfChild, placeOfRoot } from './problem-path.js';
import { CURRENT_SCHEMA, NO_SCHEMA } from './schema-names.js';

/**
 * Everything that makes a document of the current schema invalid (specification 01 §1.5): unknown elements and attributes, missing and
 * malformed attributes, wrong counts of children, repeated ids, references to ids that nothing has. A document of schema `none` asks not to be
 * validated and has no problems. The status section is not looked at.
 *
 * A valid document may still name what isn't there, or what makes no sense: `findMistakes` finds that.
 */
export function validateCib(document: XmlElement): CibProblem[] {
  if (document.attributes['validate-with'] === NO_SCHEMA && document.name === 'cib') return [];
  const validator = new Validator();
  validator.root(document);
  validator.references();
  return validator.problems;
}

/** What validation finds in a part of a document by itself, and what has to be right in the whole. */
export interface ValidatedPart {
  readonly problems: readonly CibProblem[];
  /** The ids that it takes. */
  readonly ids: readonly string[];
  /** The ids that it refers to. */
  readonly references: readonly string[];
}

/** Validates one child of a section by itself. @param section its name; one that may have any number of such children */
export function validatePart(part: XmlElement, section: string): ValidatedPart {
  const validator = new Validator();
  const around: XmlElement = { kind: 'element', name: section, attributes: {}, children: [part] };
  validator.children(around, ownEntry(ELEMENT_TYPES, section)?.children ?? {}, placeOfRoot(around, ''));
  return validator.part();
}

/** Validates a document of which parts are left out. */
export function validateOutline(document: XmlElement): ValidatedPart {
  const validator = new Validator();
  validator.root(document);
  return validator.part();
}

type Children = NonNullable<ElementType['children']>;

/** Which element has an id. */
interface Taken {
  readonly name: string;
  readonly line: number | undefined;
}

class Validator {
  readonly problems: CibProblem[] = [];
  private readonly ids = new Map<string, Taken>();
  private readonly referring: { readonly source: XmlElement; readonly place: Place; readonly attribute: string; readonly id: string }[] =
    [];

  root(document: XmlElement): void {
    if (document.name !== 'cib') {
      this.error(document, placeOfRoot(document, `/${document.name}`), 'the root element must be <cib>');
      return;
    }
    const place = placeOfRoot(document, '/cib');
    this.attributes(document, CIB_TYPE, place);
    const schema = document.attributes['validate-with'];
    if (schema !== undefined && schema !== CURRENT_SCHEMA) {
      this.error(document, place, `names the schema ${schema}: upgrade the document to ${CURRENT_SCHEMA}`, 'validate-with');
    }
    this.children(document, { configuration: { occurs: '1' }, status: { occurs: '?' } }, place);
    if (childElements(document)[0]?.name === 'status') this.error(document, place, '<cib> has its status before its configuration');
  }

  /** When every id is known: what refers to none. */
  references(): void {
    for (const { source, place, attribute, id } of this.referring) {
      if (!this.ids.has(id)) this.error(source, place, `${attribute}: nothing has the id "${id}"`, attribute);
    }
  }

  part(): ValidatedPart {
    return { problems: this.problems, ids: [...this.ids.keys()], references: this.referring.map(({ id }) => id) };
  }

  private element(source: XmlElement, type: ElementType, place: Place): void {
    this.attributes(source, type, place);
    const wrong = type.check?.(source);
    if (wrong !== undefined) this.error(source, place, `<${source.name}> ${wrong}`);
    this.children(source, type.children ?? {}, place);
  }

  private attributes(source: XmlElement, { required = {}, optional = {} }: ElementType, place: Place): void {
    for (const name of Object.keys(required)) {
      if (source.attributes[name] === undefined) this.error(source, place, `<${source.name}> needs the attribute ${name}`, name);
    }
    for (const [name, value] of Object.entries(source.attributes)) {
      const type: AttributeType | undefined = ownEntry(required, name) ?? ownEntry(optional, name);
      const wrong = type?.(value);
      if (type === undefined) {
        const known = [...Object.keys(required), ...Object.keys(optional)];
        this.error(
          source,
          place,
          `<${source.name}> has no attribute ${name}: ${known.length === 0 ? 'it has none' : `known are ${known.join(', ')}`}`,
          name,
        );
      } else if (wrong !== undefined) this.error(source, place, `${name}: ${wrong}`, name);
      else if (type === xmlId) this.unique(value.trim(), source, place, name);
      else if (type === idReference) this.referring.push({ source, place, attribute: name, id: value.trim() });
    }
  }

  /** Checks the children's names and counts, then each child. */
  children(source: XmlElement, allowed: Children, place: Place): void {
    const counts = new Map<string, number>();
    for (const child of source.children) {
      if (child.kind !== 'element') continue;
      const count = (counts.get(child.name) ?? 0) + 1;
      counts.set(child.name, count);
      const childPlace = placeOfChild(child, count, place);
      const rule = ownEntry(allowed, child.name);
      if (rule === undefined) {
        const names = Object.keys(allowed);
        this.error(
          child,
          childPlace,
          `<${child.name}> is not known in <${source.name}>: ${names.length === 0 ? 'it has no children' : `known are ${names.join(', ')}`}`,
        );
        continue;
      }
      if (count > 1 && isSingle(rule.occurs)) this.error(child, childPlace, `<${source.name}> has more than one <${child.name}>`);
      const type = rule.type ?? ownEntry(ELEMENT_TYPES, child.name);
      if (type !== undefined) this.element(child, type, childPlace);
    }
    for (const [name, { occurs }] of Object.entries(allowed)) {
      if (isRequired(occurs) && !counts.has(name)) this.error(source, place, `<${source.name}> needs a <${name}>`);
    }
  }

  private unique(id: string, source: XmlElement, place: Place, attribute: string): void {
    const first = this.ids.get(id);
    if (first === undefined) {
      this.ids.set(id, { name: source.name, line: place.line });
      return;
    }
    const where = first.line === undefined ? '' : ` on line ${first.line}`;
    this.error(source, place, `${attribute}: "${id}" is taken by <${first.name}>${where}: choose another`, attribute);
  }

  private error(source: XmlElement, place: Place, message: string, attribute?: string): void {
    const problem = { ...place, element: source.name, id: source.attributes['id'], message };
    this.problems.push(attribute === undefined ? problem : { ...problem, attribute });
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
