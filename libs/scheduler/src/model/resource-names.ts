import type { Resource } from './resource.js';

/** All resources of one name. */
interface Named {
  readonly resources: Set<Resource>;
  /** How many of them are below each outermost resource: mostly there is just one of these. */
  readonly roots: Map<Resource, number>;
}

/**
 * Resources by their ids and by the names under which history knows them (specification 02 §10.2, §10.4). A name of an anonymous clone may be that of
 * thousands of instances. Only what is in the cluster's tree is found; where a name is that of several, their order is that of a depth-first walk, parents first.
 */
export class ResourceNames {
  private readonly byName = new Map<string, Named>();

  /** @param topLevel the roots of the tree, in their present order. */
  constructor(private readonly topLevel: () => readonly Resource[]) {}

  /** Makes a resource known under a name. */
  add(name: string, resource: Resource): void {
    let named = this.byName.get(name);
    if (!named) this.byName.set(name, (named = { resources: new Set(), roots: new Map() }));
    const { resources, roots } = named;
    if (resources.has(resource)) return;
    resources.add(resource);
    roots.set(resource.outermost, (roots.get(resource.outermost) ?? 0) + 1);
  }

  /** Gives an instance the id under which history knows it, or takes it away (specification 02 §10.4). */
  setHistoryName(resource: Resource, name: string | undefined): void {
    const old = resource.historyName;
    if (old !== undefined && old !== resource.id) this.remove(old, resource);
    resource.historyName = name;
    if (name !== undefined) this.add(name, resource);
  }

  /** Whether any resource has that name. */
  has(name: string): boolean {
    for (const { topLevel } of this.byName.get(name)?.roots.keys() ?? []) if (topLevel) return true;
    return false;
  }

  /** The first resource of that name. */
  first(name: string): Resource | undefined {
    const named = this.byName.get(name);
    if (!named) return undefined;
    const { resources, roots } = named;
    if (resources.size === 1) {
      const [only] = resources;
      return only?.outermost.topLevel ? only : undefined;
    }
    for (const root of roots.size === 1 ? roots.keys() : this.topLevel()) {
      const found = root.topLevel && roots.has(root) ? firstNamed(root, name) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** Every resource of that name. */
  all(name: string): readonly Resource[] {
    const { resources = [] } = this.byName.get(name) ?? {};
    const found = [...resources].filter(({ outermost }) => outermost.topLevel);
    return found.length < 2 ? found : this.inTreeOrder(found);
  }

  private remove(name: string, resource: Resource): void {
    const named = this.byName.get(name);
    if (!named?.resources.delete(resource)) return;
    const { roots } = named;
    const left = (roots.get(resource.outermost) ?? 0) - 1;
    if (left > 0) roots.set(resource.outermost, left);
    else roots.delete(resource.outermost);
  }

  /** Walks down the branches that lead to any of these, so that the cost does not grow with their number squared. */
  private inTreeOrder(found: readonly Resource[]): Resource[] {
    const wanted = new Set(found);
    const leading = new Set<Resource>();
    for (const one of found) for (let at: Resource | undefined = one; at && !leading.has(at); at = at.parent) leading.add(at);
    const ordered: Resource[] = [];
    const walk = (level: readonly Resource[]): void => {
      for (const resource of level) {
        if (!leading.has(resource)) continue;
        if (wanted.has(resource)) ordered.push(resource);
        walk(branchesOf(resource));
      }
    };
    const roots = [...leading].filter(({ parent }) => !parent);
    // The instances of a clone are all below it: no need to go through all resources for each history of each clone.
    walk(roots.length === 1 ? roots : this.topLevel());
    return ordered;
  }
}

/** The first resource of a tree with that id or history name. Among instances of one name it is mostly the first, so that no list of all is made. */
function firstNamed(resource: Resource, name: string): Resource | undefined {
  if (resource.id === name || resource.historyName === name) return resource;
  for (const branch of branchesOf(resource)) {
    const found = firstNamed(branch, name);
    if (found) return found;
  }
  return undefined;
}

/** Below a bundle come what its replicas are made of, which are no children, and then the instances inside. */
function branchesOf({ bundle, children }: Resource): readonly Resource[] {
  if (!bundle) return children;
  const parts = bundle.replicas.flatMap(({ container, ip, connection }) => [container, ip, connection]);
  return [...parts.filter((part) => part !== undefined), ...children];
}
