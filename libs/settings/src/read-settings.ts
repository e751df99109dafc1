import type { Setting, SettingWithDefault } from './setting.js';

/** The settings of a program, by name. */
export type Schema = Readonly<Record<string, Setting<unknown>>>;

/** Their values; undefined: not set, and there is no default. */
export type Settings<S extends Schema> = {
  readonly [N in keyof S]: S[N] extends SettingWithDefault<infer T> ? T : S[N] extends Setting<infer T> ? T | undefined : never;
};

/** A property that is there if it has a value. */
export function present<K extends string, V>(name: K, value: V | undefined): { readonly [N in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in K]: V });
}

/**
 * Reads what a schema names, and nothing else. An empty value counts as unset.
 *
 * @throws {InvalidSetting} for the first that is not usable
 */
export function readSettings<S extends Schema>(schema: S, environment: Readonly<Record<string, string | undefined>>): Settings<S> {
  const values = Object.entries(schema).map(([name, { otherwise, read }]) => {
    const given = environment[name];
    const text = given === undefined || given === '' ? otherwise : given;
    return [name, text === undefined ? undefined : read(name, text)] as const;
  });
  // Each has been read by the setting of its name.
  return Object.fromEntries(values) as Settings<S>;
}
