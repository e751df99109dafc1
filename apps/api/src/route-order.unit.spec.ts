import { RequestMethod } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { ApiModule } from './api.module.js';
import { registeredRoutes, type RegisteredRoute } from './testing/registered-routes.js';

type Route = Pick<RegisteredRoute, 'module' | 'verb' | 'path'>;

const textOf = ({ verb, path }: Route): string => `${RequestMethod[verb]} ${path}`;
const isParameter = (segment: string): boolean => segment.startsWith(':');

/** Each place at which two paths of the same length stand apart, when there is a path that both match; undefined when there is none. */
function apart(one: Route, other: Route): readonly { readonly one: string; readonly other: string }[] | undefined {
  const segments = one.path.split('/');
  const others = other.path.split('/');
  if (one.verb !== other.verb || segments.length !== others.length) return undefined;
  const places = segments.map((segment, place) => ({ one: segment, other: others[place] ?? '' }));
  const matchBoth = places.every(({ one, other }) => one === other || isParameter(one) || isParameter(other));
  return matchBoth ? places.filter(({ one, other }) => !(one === other || (isParameter(one) && isParameter(other)))) : undefined;
}

/** What would make the order of modules count, or keeps a route from all or some of its requests. */
function faultsIn(routes: readonly Route[]): readonly string[] {
  const faults = routes.flatMap((route) =>
    // Of such only the pairs below can be compared by their segments.
    route.verb === RequestMethod.ALL || route.path.split('/').some((segment) => !/^:?[\w-]*$/.test(segment))
      ? [`${textOf(route)} is neither of one method nor of whole segments`]
      : [],
  );
  routes.forEach((later, index) => {
    for (const earlier of routes.slice(0, index)) {
      const differing = apart(earlier, later);
      if (differing === undefined) continue;
      if (earlier.module !== later.module) faults.push(`${textOf(earlier)} and ${textOf(later)} are in two modules`);
      // Only what names more than the later one may come before it.
      const isMoreSpecific = differing.length > 0 && differing.every(({ one }) => !isParameter(one));
      if (!isMoreSpecific) faults.push(`${textOf(later)} comes after ${textOf(earlier)}`);
    }
  });
  return faults;
}

const route = (path: string, module = 'A', verb = RequestMethod.GET): Route => ({ path, module, verb });

describe('the order of routes', () => {
  it('does not depend on that of the modules, and hides no route behind another', async () => {
    const app = await NestFactory.create(ApiModule.withoutServices(), { preview: true, abortOnError: false, logger: false });
    const routes = registeredRoutes(app);
    await app.close();
    expect(routes.length).toBeGreaterThan(150);
    expect(faultsIn(routes)).toEqual([]);
  });

  it.each([
    { fault: 'a more specific route comes later', routes: [route('/a/:x'), route('/a/b')] },
    { fault: 'each is more specific in one place', routes: [route('/a/:x/c'), route('/a/b/:y')] },
    { fault: 'one is there twice', routes: [route('/a/:x'), route('/a/:y')] },
    { fault: 'two modules share paths', routes: [route('/a/b', 'A'), route('/a/:x', 'B')] },
    { fault: 'a wildcard', routes: [route('/a/*rest')] },
    { fault: 'any method', routes: [route('/a', 'A', RequestMethod.ALL)] },
  ])('is at fault when $fault', ({ routes }) => {
    expect(faultsIn(routes)).toHaveLength(1);
  });

  it('is of no concern between paths that no request shares', () => {
    expect(faultsIn([route('/a/b'), route('/a/:x'), route('/:x/c/d', 'B'), route('/a/:x', 'B', RequestMethod.POST)])).toEqual([]);
  });
});
