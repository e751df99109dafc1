import type { Resource } from './resource.js';

/** Several resources of one name. */
class Namesakes {
  readonly resources = new Set<Resource>();
  /** How many of them are below each outermost resource: mostly there is just one of these. */
  readonly roots = new Map<Resource, number>();

  add(resource: Resource): void {
    if (this.resources.has(resource)) return;
    this.resources.add(resource);
    this.roots.set(resource.outermost, (this.roots.get(resource.outermost) ?? 0) + 1);
  }

  remove(resource: Resource): void {
    if (!this.resources.delete(resource)) return;
    const left = (this.roots.get(resource.outermost) ?? 0) - 1;
    if (left > 0) this.roots.set(resource.outermost, left);
    else this.roots.delete(resource.outermost);
  }
}

/**
 * Resources by their ids and by the names under which history knows them (specification 02 §10.2, §10.4). A name of an anonymous clone may be that of
 * thousands of instances. Only what is in the cluster's tree is found; where a name is that of several, their order is that of a depth-first walk, parents first.
 */
export class ResourceNames {
  private readonly byName = new Map<string, Resource | Namesakes>();

  /** @param topLevel the roots of the tree, in their present order. */
  constructor(private readonly topLevel: () => readonly Resource[]) {}

  /** Makes a resource known under a name. */
  add(name: string, resource: Resource): void {
    const named = this.byName.get(name);
    if (named instanceof Namesakes) {
      named.add(resource);
    } else if (!named) {
      this.byName.set(name, resource);
    } else if (named !== resource) {
      const namesakes = new Namesakes();
      namesakes.add(named);
      namesakes.add(resource);
      this.byName.set(name, namesakes);
    }
  }

  /** Whether any resource has that name. */
  has(name: string): boolean {
    return this.first(name) !== undefined;
  }

  /** The first resource of that name. */
  first(name: string): Resource | undefined {
    const named = this.byName.get(name);
    if (!(named instanceof Namesakes)) return named?.outermost.topLevel ? named : undefined;
    const { roots } = named;
    for (const root of roots.size === 1 ? roots.keys() : this.topLevel()) {
      const found = root.topLevel && roots.has(root) ? firstNamed(root, name) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** Every resource of that name. */
  all(name: string): readonly Resource[] {
    const named = this.byName.get(name);
    const resources = named instanceof Namesakes ? [...named.resources] : named ? [named] : [];
    const found = resources.filter(({ outermost }) => outermost.topLevel);
    return found.length < 2 ? found : this.inTreeOrder(found);
  }

  /** Makes a name no longer that of a resource. */
  remove(name: string, resource: Resource): void {
    const named = this.byName.get(name);
    if (named instanceof Namesakes) named.remove(resource);
    else if (named === resource) this.byName.delete(name);
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
