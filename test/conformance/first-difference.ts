/** Lines around the first one that differs, expected with `-`, actual with `+`. */
export function firstDifference(expected: string, actual: string): string {
  const want = expected.split('\n');
  const got = actual.split('\n');
  const place = want.findIndex((line, index) => line !== got[index]);
  const at = place < 0 ? want.length : place;
  const context = want.slice(Math.max(0, at - 2), at).map((line) => `    ${line}`);
  return [`  line ${at + 1}:`, ...context, `  - ${want[at] ?? '(end)'}`, `  + ${got[at] ?? '(end)'}`].join('\n');
}
