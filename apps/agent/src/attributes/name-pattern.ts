/**
 * A pattern of attribute names, as `--pattern` gives it: an extended regular expression, found anywhere in the name.
 * @throws {SyntaxError} for one that is none, or that would mean something else here than it says
 */
export function namePattern(text: string): RegExp {
  if (/\[[:.=]/.test(text)) throw new SyntaxError('character classes such as [:digit:] are not known here: write 0-9');
  return new RegExp(text, 'u');
}
