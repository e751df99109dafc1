/** What is told in the place of a secret. */
export const MASK = '********';

/** From so many characters on, a part of a secret at the edge of a text that was cut off is taken for one. */
const LEAST_PART = 4;

/** A text of an agent's without secrets, as they are and line by line; and without what a cut left of one at its beginning or end. */
export function masked(text: string, secrets: readonly string[]): string {
  const hidden = [...new Set(secrets.flatMap((secret) => [secret, ...linesOf(secret)]))].filter((secret) => secret !== '');
  // The longest first: one may hold another.
  hidden.sort((a, b) => b.length - a.length);
  let shown = text;
  for (const secret of hidden) shown = shown.replaceAll(secret, MASK);
  for (const secret of hidden) shown = withoutParts(shown, secret);
  return shown;
}

function linesOf(secret: string): readonly string[] {
  return secret.includes('\n') ? secret.split(/\r?\n/).filter((line) => line.length >= LEAST_PART) : [];
}

function withoutParts(text: string, secret: string): string {
  let shown = text;
  for (let length = secret.length - 1; length >= LEAST_PART; length--) {
    const [end, beginning] = [secret.slice(-length), secret.slice(0, length)];
    if (shown.startsWith(end)) shown = `${MASK}${shown.slice(length)}`;
    if (shown.endsWith(beginning)) shown = `${shown.slice(0, -length)}${MASK}`;
  }
  return shown;
}
