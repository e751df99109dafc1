import { EXIT, ToolFailure } from './tool.js';

/** How an option takes its value; `optional` only as `--name=value` or `-nvalue`. */
export type OptionKind = 'flag' | 'value' | 'optional';

export interface OptionSpec {
  /** Name in the result. */
  readonly name: string;
  /** All spellings, with their dashes. */
  readonly spellings: readonly string[];
  readonly kind: OptionKind;
  /** Why it is known, and refused. */
  readonly undone?: string;
}

/** An option without a value. */
export const flag = (name: string, ...spellings: readonly string[]): OptionSpec => ({ name, spellings, kind: 'flag' });
/** An option with a value. */
export const value = (name: string, ...spellings: readonly string[]): OptionSpec => ({ name, spellings, kind: 'value' });
/** An option that may have a value. */
export const optional = (name: string, ...spellings: readonly string[]): OptionSpec => ({ name, spellings, kind: 'optional' });
/** What Pacemaker's tool has, and this one does not, and why. */
export const undone = (why: string, ...spellings: readonly string[]): OptionSpec => ({
  name: 'undone',
  spellings,
  kind: 'flag',
  undone: why,
});

export interface ParsedArguments {
  /** Value of each given option; the last one wins; a flag has the value `''`. */
  readonly options: Readonly<Partial<Record<string, string>>>;
  readonly operands: readonly string[];
  /** All that was given, in its order: name and value. */
  readonly given: readonly (readonly [string, string])[];
}

/**
 * Parses arguments as GNU getopt_long does: bundled short flags, `-nvalue`, `-n value`, `--name=value`, `--name value`, `--`.
 * @throws {ToolFailure} for an option that is not among the specs or not done, and a missing value
 */
export function parseArguments(args: readonly string[], specs: readonly OptionSpec[]): ParsedArguments {
  const given: (readonly [string, string])[] = [];
  const take = ({ name }: OptionSpec, text: string): void => {
    given.push([name, text]);
  };
  const operands: string[] = [];
  const rest = [...args];
  const find = (spelling: string): OptionSpec => {
    const spec = specs.find((one) => one.spellings.includes(spelling));
    if (spec?.undone !== undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, `${spelling} is not done here: ${spec.undone}`);
    if (spec === undefined) throw new ToolFailure(EXIT.USAGE, `Unknown option ${spelling}`);
    return spec;
  };
  const valueOf = (spelling: string): string => {
    const value = rest.shift();
    if (value === undefined) throw new ToolFailure(EXIT.USAGE, `Missing argument for ${spelling}`);
    return value;
  };
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      operands.push(...rest.splice(0));
    } else if (arg.startsWith('--')) {
      const equals = arg.indexOf('=');
      const spelling = equals < 0 ? arg : arg.slice(0, equals);
      const spec = find(spelling);
      take(spec, equals >= 0 ? arg.slice(equals + 1) : spec.kind === 'value' ? valueOf(spelling) : '');
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let at = 1; at < arg.length; at += 1) {
        const spelling = `-${arg.charAt(at)}`;
        const spec = find(spelling);
        const attached = arg.slice(at + 1);
        if (spec.kind === 'flag') {
          take(spec, '');
          continue;
        }
        take(spec, attached !== '' ? attached : spec.kind === 'value' ? valueOf(spelling) : '');
        break;
      }
    } else {
      operands.push(arg);
    }
  }
  return { options: Object.fromEntries(given), operands, given };
}

/**
 * Of several commands on one line the others would be passed over: which one is meant nobody knows.
 *
 * @param commands names of options that say what is to be done
 * @throws {ToolFailure}
 */
export function refuseSeveral(specs: readonly OptionSpec[], { given }: ParsedArguments, commands: ReadonlySet<string>): void {
  const found = [...new Set(given.flatMap(([name]) => (commands.has(name) ? [name] : [])))];
  if (found.length < 2) return;
  const spelled = found.map((name) => specs.find((one) => one.name === name)?.spellings.find((one) => one.startsWith('--')) ?? name);
  throw new ToolFailure(EXIT.USAGE, `one thing at a time: ${spelled.join(', ')}`);
}
