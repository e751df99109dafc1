import { type OptionDefinition, type OptionName, OPTIONS } from './options.js';

/** A command line that can't be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options that were given: each with its values in order, an empty text for a switch. */
export class CommandLine {
  private readonly given = new Map<OptionName, string[]>();
  /** The command line as it could be typed. */
  readonly text: string;
  /** Arguments that are no options: the reference passes over them without a word. */
  readonly ignored: string[] = [];

  /** @throws {UsageError} for an unknown option, or one without its value. */
  constructor(args: readonly string[]) {
    this.text = ['crm_simulate', ...args.map(quoted)].join(' ');
    const rest = [...args];
    for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
      if (argument === '-?') this.add('help', '');
      else if (argument === '--') this.ignored.push(...rest.splice(0));
      else if (argument.startsWith('--')) this.readLong(argument, rest);
      else if (argument.startsWith('-') && argument.length > 1) this.readShort(argument, rest);
      else this.ignored.push(argument);
    }
  }

  has(name: OptionName): boolean {
    return this.given.has(name);
  }

  /** Every value, in order. */
  all(name: OptionName): readonly string[] {
    return this.given.get(name) ?? [];
  }

  /** The last value. */
  last(name: OptionName): string | undefined {
    return this.given.get(name)?.at(-1);
  }

  private readLong(argument: string, rest: string[]): void {
    const equals = argument.indexOf('=');
    const name = equals < 0 ? argument.slice(2) : argument.slice(2, equals);
    const option = definitions.find(({ long }) => long === name);
    if (!option) throw new UsageError(`Unknown option --${name}`);
    if (option.value === undefined) this.add(option.long, '');
    else this.add(option.long, equals < 0 ? next(`--${name}`, rest) : argument.slice(equals + 1));
  }

  /** Letters can stand together (`-sSQ`); the value of the last one follows at once or as the next argument. */
  private readShort(argument: string, rest: string[]): void {
    for (let place = 1; place < argument.length; place++) {
      const letter = argument.charAt(place);
      const option = definitions.find(({ short }) => short === letter);
      if (!option) throw new UsageError(`Unknown option -${letter}`);
      if (option.value === undefined) {
        this.add(option.long, '');
        continue;
      }
      const attached = argument.slice(place + 1);
      this.add(option.long, attached === '' ? next(`-${letter}`, rest) : attached);
      return;
    }
  }

  private add(name: OptionName, value: string): void {
    const values = this.given.get(name);
    if (values) values.push(value);
    else this.given.set(name, [value]);
  }
}

/** As a shell would need it. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

const definitions: readonly (OptionDefinition & { readonly long: OptionName })[] = OPTIONS;

function next(option: string, rest: string[]): string {
  const value = rest.shift();
  if (value === undefined) throw new UsageError(`Missing argument for ${option}`);
  return value;
}
