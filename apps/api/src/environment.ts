/** A setting in the environment is not usable. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

/** A variable of the environment; undefined when it is not set or empty. */
export function setting(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}

/** The same as a whole number. @throws {InvalidSetting} */
export function wholeNumber(environment: NodeJS.ProcessEnv, name: string, least: number, most: number): number | undefined {
  const text = setting(environment, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InvalidSetting(`${name} is "${text}": give a whole number from ${least} to ${most}`);
  }
  return value;
}

/** The same as a switch. @throws {InvalidSetting} */
export function switchedOn(environment: NodeJS.ProcessEnv, name: string): boolean | undefined {
  const text = setting(environment, name);
  if (text !== undefined && text !== 'on' && text !== 'off') throw new InvalidSetting(`${name} is "${text}": give on or off`);
  return text === undefined ? undefined : text === 'on';
}
