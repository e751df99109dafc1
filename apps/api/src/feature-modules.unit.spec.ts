import { readdirSync, readFileSync } from 'node:fs';
import type { InjectionToken } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiModule } from './api.module.js';
import { moduleGraph, type ModuleNode } from './testing/module-graph.js';

const textOf = (token: InjectionToken): string => (typeof token === 'function' ? token.name : String(token));

/** The module that imports all that have routes. */
const ROOT = 'ApiModule';

/** What of a graph of modules is not as it has to be. @param routed all controllers that there are */
function faultsIn(modules: readonly ModuleNode[], routed: readonly InjectionToken[]): readonly string[] {
  const named = new Map(modules.map((module) => [module.name, module]));
  const exporting = new Map(modules.flatMap((module) => module.exports.map((token) => [token, module] as const)));
  return [
    ...cyclesIn(named),
    ...modules.flatMap((module) => [
      ...module.exports.flatMap((token) =>
        modules.some((other) => other !== module && other.injects.has(token)) ? [] : [`nobody injects ${textOf(token)} of ${module.name}`],
      ),
      ...module.imports.flatMap((name) => {
        const imported = named.get(name);
        if (imported === undefined || imported.exports.some((token) => module.injects.has(token))) return [];
        return module.name === ROOT && imported.controllers.length > 0 ? [] : [`${module.name} does not need ${name}`];
      }),
      ...[...module.injects].flatMap((token) => {
        const source = exporting.get(token);
        const isWithin = module.provides.includes(token) || source === undefined || source.isGlobal || module.imports.includes(source.name);
        return isWithin ? [] : [`${module.name} does not import ${source.name}, whose ${textOf(token)} it injects`];
      }),
      ...(module.controllers.length === 0 || module.name === ROOT || named.get(ROOT)?.imports.includes(module.name) === true
        ? []
        : [`${ROOT} does not import ${module.name}, which has routes`]),
    ]),
    ...routed.flatMap((controller) => {
      const times = modules.flatMap(({ controllers }) => controllers).filter((declared) => declared === controller).length;
      return times === 1 ? [] : [`${textOf(controller)} is in ${String(times)} modules`];
    }),
  ];
}

function cyclesIn(named: ReadonlyMap<string, ModuleNode>): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) cycles.push([...way.slice(way.indexOf(name)), name].join(' imports '));
    if (done.has(name) || way.includes(name)) return;
    for (const next of named.get(name)?.imports ?? []) walk(next, [...way, name]);
    done.add(name);
  };
  for (const name of named.keys()) walk(name, []);
  return cycles;
}

/** What the exports of a file have of controllers. */
function controllersIn(exported: unknown): readonly InjectionToken[] {
  if (Array.isArray(exported)) return exported.flatMap(controllersIn);
  const isController = typeof exported === 'function' && Reflect.hasMetadata(CONTROLLER_WATERMARK, exported);
  return isController ? [exported as InjectionToken] : [];
}

/** The files of the api, with what stands in them. */
function sources(): readonly { readonly path: string; readonly text: string }[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const paths = files.filter((file) => /(?<!\.d|\.spec)\.ts$/.test(file)).map((file) => `${import.meta.dirname}/${file}`);
  return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

describe('the modules of the features', () => {
  /** Without Nest's own, and those of other packages. */
  let modules: readonly ModuleNode[];
  let files: ReturnType<typeof sources>;
  let declared: readonly string[];

  beforeAll(async () => {
    const app = await NestFactory.create(ApiModule.withoutServices(), { preview: true, abortOnError: false, logger: false });
    const read = moduleGraph(app);
    await app.close();
    files = sources();
    declared = files.flatMap(({ text }) => [...text.matchAll(/^@Module\([^]*?^export class (\w+)/gm)].map(([, name = '']) => name));
    modules = read.filter(({ name }) => declared.includes(name));
  });

  it('are all in use', () => {
    expect(declared.length).toBeGreaterThan(25);
    expect(modules.map(({ name }) => name).sort()).toEqual([...declared].sort());
  });

  it('have no cycle, import what they inject, export what others inject, and hold each controller once', async () => {
    const declaring = files.filter(({ text }) => /^ *@Controller\(/m.test(text));
    const loaded = await Promise.all(declaring.map(async ({ path }) => (await import(path)) as Readonly<Record<string, unknown>>));
    const controllers = loaded.flatMap((exported) => controllersIn(Object.values(exported)));
    expect(controllers.length).toBeGreaterThan(45);
    expect(faultsIn(modules, controllers)).toEqual([
      // Whoever starts an api takes them from it.
      'nobody injects LateQueues of OpenedServicesModule',
      'nobody injects LogWrites of OpenedServicesModule',
    ]);
  });

  it.each([
    { fault: 'a cycle', reads: { imports: ['Writes'], injects: ['write'] }, said: 'Writes imports Reads imports Writes' },
    { fault: 'an export for nobody', reads: { exports: ['look', 'more'] }, said: 'nobody injects more of Reads' },
    { fault: 'an import for nothing', other: { imports: ['Reads', 'Writes'] }, said: 'Other does not need Reads' },
    { fault: 'a missing import', other: { injects: ['look', 'write'] }, said: 'Other does not import Reads, whose look it injects' },
    { fault: 'a controller twice', other: { controllers: ['Route'] }, said: 'Route is in 2 modules' },
    { fault: 'a controller in none', root: { imports: ['Other'] }, writes: { controllers: [] }, said: 'Route is in 0 modules' },
    { fault: 'routes unknown to the root', root: { imports: ['Other'] }, said: 'ApiModule does not import Writes, which has routes' },
    { fault: 'an import of the root for nothing', root: { imports: ['Reads', 'Writes', 'Other'] }, said: 'ApiModule does not need Reads' },
  ])('are at fault for $fault', ({ reads, writes, other, root, said }: Planted) => {
    const graph = [
      node({ name: ROOT, imports: ['Writes', 'Other'], ...root }),
      node({ name: 'Reads', exports: ['look'], ...reads }),
      node({ name: 'Writes', imports: ['Reads'], exports: ['write'], injects: ['look'], controllers: ['Route'], ...writes }),
      node({ name: 'Other', imports: ['Writes'], injects: ['write'], controllers: ['OtherRoute'], ...other }),
    ];
    expect(faultsIn(graph, ['Route'])).toEqual([said]);
  });

  it('are without fault as they should be', () => {
    const reads = node({ name: 'Reads', exports: ['look'] });
    const writes = node({ name: 'Writes', imports: ['Reads'], injects: ['look', 'opened'], controllers: ['Route'] });
    const opened = node({ name: 'Opened', isGlobal: true, exports: ['opened'] });
    expect(faultsIn([node({ name: ROOT, imports: ['Writes'] }), reads, writes, opened], ['Route'])).toEqual([]);
  });
});

type Part = Partial<Omit<ModuleNode, 'injects'>> & { readonly injects?: readonly string[] };
type Planted = Readonly<Partial<Record<'reads' | 'writes' | 'other' | 'root', Part>>> & { readonly said: string };

function node({ injects = [], ...rest }: Part & { readonly name: string }): ModuleNode {
  return { isGlobal: false, imports: [], controllers: [], provides: [], exports: [], injects: new Set(injects), ...rest };
}
