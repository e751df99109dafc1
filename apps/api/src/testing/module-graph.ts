import type { INestApplication, InjectionToken } from '@nestjs/common';
import { PARAMTYPES_METADATA, PROPERTY_DEPS_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ModuleRef, ModulesContainer } from '@nestjs/core';

/** A module as Nest has read it. */
export interface ModuleNode {
  readonly name: string;
  readonly isGlobal: boolean;
  /** Names of modules, without the global ones, which Nest lets every module import. */
  readonly imports: readonly string[];
  readonly controllers: readonly InjectionToken[];
  /** Without what Nest itself provides in each module. */
  readonly provides: readonly InjectionToken[];
  readonly exports: readonly InjectionToken[];
  /** What the constructors of its providers and controllers take, and of the guards and interceptors that its handlers have. */
  readonly injects: ReadonlySet<InjectionToken>;
}

type NestModule = ModulesContainer extends Map<string, infer Entry> ? Entry : never;

/** All modules, the root first; Nest's own and those of other packages are among them. */
export function moduleGraph(app: INestApplication): readonly ModuleNode[] {
  return [...app.get(ModulesContainer).values()].map(nodeOf);
}

function nodeOf(module: NestModule): ModuleNode {
  const ofNest: readonly InjectionToken[] = [ModuleRef, ApplicationConfig, module.metatype];
  const controllers = [...module.controllers.values()];
  const providers = [...module.providers.values()].filter(({ token }) => !ofNest.includes(token));
  const parts = [...controllers, ...providers, ...module.injectables.values()];
  return {
    name: module.name,
    isGlobal: module.isGlobal,
    imports: [...module.imports].flatMap(({ isGlobal, name }) => (isGlobal ? [] : [name])),
    controllers: controllers.map(({ token }) => token),
    provides: providers.map(({ token }) => token),
    exports: [...module.exports],
    injects: new Set(parts.flatMap(({ metatype }) => (typeof metatype === 'function' ? takenBy(metatype) : []))),
  };
}

function takenBy(metatype: object): readonly InjectionToken[] {
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, metatype) ?? []) as readonly InjectionToken[];
  const declared = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, metatype) ?? []) as readonly {
    index: number;
    param: InjectionToken;
  }[];
  const properties = (Reflect.getMetadata(PROPERTY_DEPS_METADATA, metatype) ?? []) as readonly { type: InjectionToken }[];
  const byIndex = new Map(declared.map(({ index, param }) => [index, param]));
  return [...types.map((type, index) => byIndex.get(index) ?? type), ...properties.map(({ type }) => type)];
}
