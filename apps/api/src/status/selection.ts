import { childrenNamed, firstChildNamed, type XmlElement, primitiveIdOf } from '@systole/cib';
import { HttpProblem } from '../http/problem.js';
import type { ReplicaDto } from '../scheduling/schedule.dto.js';
import type { ShownResource } from './held-starts.js';
import type { StatusDto } from './status.dto.js';

/** What of a status is asked for; each narrows it. */
export interface StatusSelection {
  /** Names of nodes: these, what is or will be on them, and their failures. */
  readonly node?: readonly string[];
  /** Ids of resources, what is below them, and their failures; the name of what is cloned stands for its instances. */
  readonly resource?: readonly string[];
  /** Ids of tags: they stand for the resources and nodes that they name. */
  readonly tag?: readonly string[];
  /** Only nodes and resources with which something is wrong. */
  readonly wrong?: boolean;
}

/** Whether everything is asked for. */
export function isWhole({ node, resource, tag, wrong = false }: StatusSelection): boolean {
  return node === undefined && resource === undefined && tag === undefined && !wrong;
}

type Selected = Pick<StatusDto, 'nodes' | 'failures' | 'degraded' | 'failCounts' | 'fencing'> & {
  readonly resources: readonly ShownResource[];
};

/** Names and ids that are asked for, each undefined for all. */
interface Wanted {
  readonly nodes: ReadonlySet<string> | undefined;
  readonly resources: ReadonlySet<string> | undefined;
  readonly onlyWrong: boolean;
}

/**
 * What of a status was asked for. What concerns the cluster as a whole stays as it is.
 *
 * @param cib whose tags are meant
 * @throws {HttpProblem} 404 for a node, resource or tag that is not there
 */
export function selectedOf(status: Selected, selection: StatusSelection, cib: XmlElement): Selected {
  if (isWhole(selection)) return status;
  const { wrong = false } = selection;
  const places = placesIn(status.resources);
  const wanted = wantedOf(status, places, selection, cib);
  const { nodes, resources } = wanted;
  const ofNode = (name: string): boolean => nodes?.has(name) !== false;
  const among = resources === undefined ? status.resources : bearing(resources, places, status.resources);
  const asked = resources === undefined ? undefined : new Set([...namesBelow(among, resources)]);
  const ofResource = (id: string): boolean => asked?.has(id) !== false;
  const concerned = (failure: { readonly node: string; readonly resource: string }): boolean =>
    ofNode(failure.node) && ofResource(failure.resource);
  return {
    nodes: status.nodes.filter((one) => ofNode(one.name) && (!wrong || one.wrong !== undefined)),
    resources: among.flatMap((one) => kept(one, wanted, false)),
    failures: status.failures.filter(concerned),
    degraded: status.degraded.filter(concerned),
    failCounts: status.failCounts.filter(concerned),
    fencing: status.fencing.filter(({ target }) => ofNode(target)),
  };
}

/** By name, at which places of a list resources stand that bear it, or have something below them that does. */
type Places = ReadonlyMap<string, readonly number[]>;

/** Many ask for parts of one status. */
const known = new WeakMap<readonly ShownResource[], Places>();

function placesIn(resources: readonly ShownResource[]): Places {
  const found = known.get(resources);
  if (found !== undefined) return found;
  const places = new Map<string, number[]>();
  for (const [place, resource] of resources.entries()) {
    const names = resource.children.length === 0 ? namesOf(resource) : new Set(namesBelow([resource], undefined));
    for (const name of names) {
      const others = places.get(name);
      if (others === undefined) places.set(name, [place]);
      else others.push(place);
    }
  }
  known.set(resources, places);
  return places;
}

/** In the order of the list. */
function bearing(names: ReadonlySet<string>, places: Places, resources: readonly ShownResource[]): readonly ShownResource[] {
  const found = new Set([...names].flatMap((name) => places.get(name) ?? []));
  return [...found]
    .sort((one, other) => one - other)
    .flatMap((place) => {
      const resource = resources[place];
      return resource === undefined ? [] : [resource];
    });
}

function wantedOf(
  status: Selected,
  places: Places,
  { node = [], resource = [], tag = [], wrong = false }: StatusSelection,
  cib: XmlElement,
): Wanted {
  const names = new Set(status.nodes.map(({ name }) => name));
  const nodes = node.map((name) => (names.has(name) ? name : notFound('node', name)));
  const resources = resource.map((id) => (places.has(id) ? id : notFound('resource', id)));
  if (tag.length > 0) {
    const tags = tagsIn(cib);
    const byId = new Map(status.nodes.map(({ id, name }) => [id, name]));
    for (const member of tag.flatMap((id) => tags.get(id) ?? notFound('tag', id))) {
      const name = names.has(member) ? member : byId.get(member);
      if (places.has(member)) resources.push(member);
      else if (name !== undefined) nodes.push(name);
    }
  }
  // A tag that names nothing that is there selects nothing.
  const nothing = tag.length > 0 && nodes.length === 0 && resources.length === 0;
  return {
    nodes: nodes.length > 0 || nothing ? new Set(nodes) : undefined,
    resources: resources.length > 0 || nothing ? new Set(resources) : undefined,
    onlyWrong: wrong,
  };
}

function notFound(parameter: 'node' | 'resource' | 'tag', name: string): never {
  const detail = `the cluster has no ${parameter} ${name.slice(0, 80)}`;
  throw new HttpProblem(404, `${parameter}-not-found`, detail, { errors: [{ parameter, detail }] });
}

function tagsIn(cib: XmlElement): ReadonlyMap<string, readonly string[]> {
  const configuration = firstChildNamed(cib, 'configuration');
  const section = configuration && firstChildNamed(configuration, 'tags');
  const tags = section ? childrenNamed(section, 'tag') : [];
  return new Map(
    tags.map((one) => [one.attributes['id'] ?? '', childrenNamed(one, 'obj_ref').map(({ attributes }) => attributes['id'] ?? '')]),
  );
}

/** The resource as far as it is wanted: as a list of one, or of none. @param isAsked what it is in was asked for */
function kept(resource: ShownResource, wanted: Wanted, isAsked: boolean): readonly ShownResource[] {
  const { nodes, resources, onlyWrong } = wanted;
  const asked = isAsked || resources === undefined || namesOf(resource).some((name) => resources.has(name));
  const children = resource.children.flatMap((child) => kept(child, wanted, asked));
  const fits = asked && (nodes === undefined || isOn(resource, nodes)) && (!onlyWrong || resource.wrong !== undefined);
  const isEmpty = resource.kind === 'primitive' || resource.children.length === 0 || nodes === undefined;
  if (children.length === 0 && !(fits && isEmpty)) return [];
  const { replicas } = resource;
  if (replicas === undefined) return [{ ...resource, children }];
  const shown = new Set(children.flatMap((child) => [...namesBelow([child], undefined)]));
  const parts = replicas.filter((one) => children.length === 0 || partsOf(one).some((id) => shown.has(id)));
  return [{ ...resource, children, replicas: parts }];
}

function partsOf({ parts: { container, ip, connection, resource } }: ReplicaDto): readonly string[] {
  return [container, ip, connection, resource].filter((id) => id !== undefined);
}

function isOn({ activeOn, assignedTo, unknownOn = [] }: ShownResource, nodes: ReadonlySet<string>): boolean {
  return [...activeOn, ...unknownOn, ...(assignedTo === undefined ? [] : [assignedTo])].some((name) => nodes.has(name));
}

/** Under which names it can be asked for: that of what is cloned without the number of the instance, too. */
function namesOf({ id }: ShownResource): readonly string[] {
  if (!id.includes(':')) return [id];
  const base = primitiveIdOf(id);
  return base === id ? [id] : [id, base];
}

/** All names at and below resources. @param among of these and what is below them only; of all when undefined */
function* namesBelow(resources: readonly ShownResource[], among: ReadonlySet<string> | undefined): Generator<string> {
  for (const resource of resources) {
    const names = namesOf(resource);
    const asked = among === undefined || names.some((name) => among.has(name));
    if (asked) yield* names;
    yield* namesBelow(resource.children, asked ? undefined : among);
  }
}
