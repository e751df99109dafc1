/**
 * The text of `JSON.stringify(value, undefined, 2)` in blocks: a whole report may be longer than a string can be. Objects are written member by member, lists element by
 * element, and what is in these as a whole.
 *
 * @param value plain data.
 * @param indent of the line on which it begins.
 */
export function* jsonBlocks(value: unknown, indent = ''): Generator<string> {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.length > 0) {
    let before = '[';
    for (const element of value as unknown[]) {
      yield `${before}\n${inner}${JSON.stringify(element, undefined, 2).replaceAll('\n', `\n${inner}`)}`;
      before = ',';
    }
    yield `\n${indent}]`;
    return;
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
  let before = '{';
  for (const [key, member] of members) {
    yield `${before}\n${inner}${JSON.stringify(key)}: `;
    yield* jsonBlocks(member, inner);
    before = ',';
  }
  yield members.length > 0 ? `\n${indent}}` : JSON.stringify(value);
}
