/** A setting in the environment is not usable; the message names it and says what it may be. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

/** One variable of the environment. */
export interface Setting<T> {
  /** What it may be, in words. */
  readonly accepts: string;
  /** What it is for. */
  readonly meaning: string;
  /** What counts where it is not set, as one would write it; absent: nothing does. */
  readonly otherwise?: string;
  /** @throws {InvalidSetting} when the text is none of what it accepts */
  readonly read: (name: string, text: string) => T;
}

/** A setting that always has a value. */
export type SettingWithDefault<T> = Setting<T> & { readonly otherwise: string };

/** Any text. */
export function text(accepts: string, meaning: string): Setting<string> {
  return { accepts, meaning, read: (_, given) => given };
}

export function whole(least: number, most: number, meaning: string): Setting<number>;
export function whole(least: number, most: number, meaning: string, otherwise: number): SettingWithDefault<number>;
/** A whole number; the unit stands in the meaning. */
export function whole(least: number, most: number, meaning: string, otherwise?: number): Setting<number> {
  return {
    accepts: `a whole number from ${String(least)} to ${String(most)}`,
    meaning,
    ...(otherwise === undefined ? {} : { otherwise: String(otherwise) }),
    read: (name, given) => {
      const value = Number(given);
      if (Number.isInteger(value) && value >= least && value <= most) return value;
      throw new InvalidSetting(`${name} is "${given}": give a whole number from ${String(least)} to ${String(most)}`);
    },
  };
}

/** One of some words. */
export function oneOf<const W extends string>(words: readonly W[], meaning: string): Setting<W> {
  const shown = words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`;
  return {
    accepts: shown,
    meaning,
    read: (name, given) => {
      const word = words.find((known) => known === given);
      if (word !== undefined) return word;
      throw new InvalidSetting(`${name} is "${given}": give ${shown}`);
    },
  };
}

/** A switch. */
export function onOrOff(meaning: string): Setting<boolean> {
  const word = oneOf(['on', 'off'], meaning);
  return { ...word, read: (name, given) => word.read(name, given) === 'on' };
}

/** A URL of one of these schemes, e.g. `redis:`. What was given is not repeated: it may hold a password. */
export function url(protocols: readonly string[], meaning: string): Setting<string> {
  const shown = `a URL that begins with ${protocols.map((known) => `${known}//`).join(' or ')}`;
  return {
    accepts: shown,
    meaning,
    read: (name, given) => {
      if (URL.canParse(given) && protocols.includes(new URL(given).protocol)) return given;
      throw new InvalidSetting(`${name} is not usable: give ${shown}`);
    },
  };
}

/** Several, separated by commas; blanks around them do not count, nor do empty ones. */
export function list(accepts: string, meaning: string): Setting<readonly string[]> {
  return {
    accepts: `${accepts}, separated by commas`,
    meaning,
    read: (_, given) =>
      given
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
  };
}

/** The same setting, held to something more. @param check what is wrong with a value, after the name; undefined: nothing */
export function checked<T>(setting: Setting<T>, check: (value: T) => string | undefined): Setting<T> {
  return {
    ...setting,
    read: (name, given) => {
      const value = setting.read(name, given);
      const wrong = check(value);
      if (wrong !== undefined) throw new InvalidSetting(`${name} ${wrong}`);
      return value;
    },
  };
}
