import { descendants } from '../document/cib-index.js';
import type { CibProblem } from '../document/cib-refused.js';
import { childrenNamed, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { placeOfRoot, walkWithPlaces } from './problem-path.js';

/** Appends a problem for each reference in the configuration that leads nowhere, or to something of the wrong kind. */
export function checkReferences(configuration: XmlElement, problems: CibProblem[]): void {
  const targets = new ReferenceTargets(configuration);
  walkWithPlaces(configuration, placeOfRoot(configuration, '/cib/configuration'), (element, { path, line }) => {
    for (const { attribute, message } of danglingIn(element, targets)) {
      problems.push({ path, element: element.name, id: element.attributes['id'], line, attribute, message });
    }
  });
}

interface Dangling {
  readonly attribute: string;
  readonly message: string;
}

/** Attributes by which an element names resources, templates or tags. */
const RESOURCE_REFERENCES: Readonly<Record<string, readonly string[]>> = {
  rsc_location: ['rsc'],
  rsc_colocation: ['rsc', 'with-rsc'],
  rsc_order: ['first', 'then'],
  rsc_ticket: ['rsc'],
  resource_ref: ['id'],
};

function* danglingIn(element: XmlElement, targets: ReferenceTargets): Generator<Dangling> {
  const { attributes, name } = element;
  const reference = attributes['id-ref'];
  if (reference !== undefined && !targets.has(name, reference)) {
    yield { attribute: 'id-ref', message: `there is no <${name}> with the id "${reference}"` };
  }
  if (Object.hasOwn(RESOURCE_REFERENCES, name)) {
    for (const attribute of RESOURCE_REFERENCES[name] ?? []) {
      const id = attributes[attribute];
      if (id === undefined || targets.isResource(id)) continue;
      yield {
        attribute,

        message: `${attribute}: there is no resource, template or tag "${id}", so this could have no effect`,
      };
    }
  }
  if (name === 'primitive' && attributes['template'] !== undefined && !targets.isTemplate(attributes['template'])) {
    yield { attribute: 'template', message: `there is no template "${attributes['template']}" in resources` };
  }
  if (name === 'obj_ref' && attributes['id'] !== undefined && !targets.hasId(attributes['id'])) {
    yield { attribute: 'id', message: `nothing has the id "${attributes['id']}"` };
  }
  if (name === 'role' && attributes['id'] !== undefined && !targets.has('acl_role', attributes['id'])) {
    yield { attribute: 'id', message: `there is no acl_role "${attributes['id']}"` };
  }
  if (name === 'acl_permission' && attributes['reference'] !== undefined && !targets.hasId(attributes['reference'])) {
    yield { attribute: 'reference', message: `nothing has the id "${attributes['reference']}"` };
  }
  if (name === 'fencing-level') {
    for (const device of (attributes['devices'] ?? '').split(',').map((part) => part.trim())) {
      if (device === '' || targets.isResource(device)) continue;
      yield { attribute: 'devices', message: `devices: there is no resource "${device}"` };
    }
  }
}

const RESOURCE_NAMES = new Set(['primitive', 'group', 'clone', 'bundle']);

/** What references may lead to. */
class ReferenceTargets {
  private readonly idsByName = new Map<string, Set<string>>();
  private readonly ids = new Set<string>();
  private readonly resources = new Set<string>();
  private readonly templates = new Set<string>();

  constructor(configuration: XmlElement) {
    for (const element of descendants(configuration)) {
      const { id } = element.attributes;
      if (id === undefined) continue;
      const named = this.idsByName.get(element.name);
      if (named === undefined) this.idsByName.set(element.name, new Set([id]));
      else named.add(id);
      // These only refer to an id and don't make it exist.
      if (element.name !== 'obj_ref' && element.name !== 'resource_ref' && element.name !== 'role') this.ids.add(id);
      if (RESOURCE_NAMES.has(element.name) || element.name === 'tag') this.resources.add(id);
    }
    const section = firstChildNamed(configuration, 'resources');
    for (const { attributes } of section === undefined ? [] : childrenNamed(section, 'template')) {
      if (attributes['id'] === undefined) continue;
      this.templates.add(attributes['id']);
      this.resources.add(attributes['id']);
    }
  }

  has(name: string, id: string): boolean {
    return this.idsByName.get(name)?.has(id) === true;
  }

  hasId(id: string): boolean {
    return this.ids.has(id);
  }

  /** A resource, or a name for several: a template or a tag. */
  isResource(id: string): boolean {
    return this.resources.has(id);
  }

  isTemplate(id: string): boolean {
    return this.templates.has(id);
  }
}
