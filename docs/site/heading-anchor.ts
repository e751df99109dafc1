/**
 * The anchor of a heading as GitHub makes it, so that one link leads to it there and on the site.
 *
 * @param heading its text, without markup.
 */
export function headingAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
