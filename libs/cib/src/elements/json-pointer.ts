/** The JSON pointer of a part, by the pointer of the whole and the part's name or index there (RFC 6901 §3). */
export function pointerTo(whole: string, part: string | number): string {
  return `${whole}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
