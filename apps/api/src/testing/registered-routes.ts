import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** A route of the api, as Nest registers it. */
export interface RegisteredRoute {
  /** Name of the module that declares its controller. */
  readonly module: string;
  readonly controller: string;
  /** Name of its handler. */
  readonly name: string;
  readonly handler: object;
  readonly verb: RequestMethod;
  /** With a slash at its beginning and none at its end; parameters as `:name`. */
  readonly path: string;
}

/** All routes, in the order in which Nest registers them, which is the order in which Express tries them. */
export function registeredRoutes(app: INestApplication): readonly RegisteredRoute[] {
  const scanner = new MetadataScanner();
  return [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].flatMap(({ metatype }) => {
      const prototype: unknown = metatype?.prototype;
      if (typeof metatype !== 'function' || typeof prototype !== 'object' || prototype === null) return [];
      return scanner.getAllMethodNames(prototype).flatMap((name): readonly RegisteredRoute[] => {
        const handler: unknown = Reflect.get(prototype, name);
        if (typeof handler !== 'function') return [];
        const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (verb === undefined) return [];
        const owner = { module: module.name, controller: metatype.name, name, handler, verb };
        return pathsOf(metatype).flatMap((above) => pathsOf(handler).map((below) => ({ ...owner, path: joined(above, below) })));
      });
    }),
  );
}

function pathsOf(target: object): readonly string[] {
  return [Reflect.getMetadata(PATH_METADATA, target) as string | readonly string[]].flat();
}

function joined(...paths: readonly string[]): string {
  return `/${paths
    .flatMap((path) => path.split('/'))
    .filter((segment) => segment !== '')
    .join('/')}`;
}
