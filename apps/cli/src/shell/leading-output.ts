/** Options of the program that take a value. */
const WITH_VALUE = new Set(['--server', '--token', '--cluster', '--ca']);

/**
 * A command line whose `--output` stands before the command, as programs that have one for all commands take it, with that option after the command, which says what it takes there.
 *
 * @param args without the program's name
 */
export function withOutputAfterCommand(args: readonly string[]): readonly string[] {
  for (let at = 0; at < args.length && args[at]?.startsWith('-') === true && args[at] !== '--'; at++) {
    const option = args[at] ?? '';
    if (option === '--output' || option.startsWith('--output=')) {
      const taken = option === '--output' ? 2 : 1;
      const others = args.toSpliced(at, taken);
      const end = others.indexOf('--');
      return others.toSpliced(end < 0 ? others.length : end, 0, ...args.slice(at, at + taken));
    }
    if (WITH_VALUE.has(option)) at++;
  }
  return args;
}
