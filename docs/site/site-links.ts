import { posix } from 'node:path';

/** Files beside docs/ that the site has as pages. */
export const PAGES_FROM_ROOT = new Map([
  ['SECURITY.md', 'project/security.md'],
  ['CONTRIBUTING.md', 'project/contributing.md'],
  ['CHANGELOG.md', 'project/changelog.md'],
]);

/** What a link of a page becomes on the site: another address, or no link, where it leads to a file that is only in the repository. */
export type SiteLink = { readonly href: string } | 'text';

/**
 * What a link, which works in a checkout and on GitHub, becomes on the site.
 *
 * @param page path of the page from the repository's root, such as `docs/guide/agent.md`.
 * @param target as it stands in the page.
 * @param repository address of the repository's files on the web, to which paths are added; without it links to files that are no pages become text.
 */
export function siteLink(page: string, target: string, repository?: string): SiteLink {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(target)) return { href: target };
  const [path = '', anchor] = target.split('#', 2);
  const file = posix.join(posix.dirname(page), path);
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  const onSite = PAGES_FROM_ROOT.get(file) ?? (file.startsWith('docs/') ? file.slice('docs/'.length) : undefined);
  if (onSite === undefined) return repository === undefined ? 'text' : { href: `${repository.replace(/\/$/, '')}/${file}${suffix}` };
  const from = posix.dirname(PAGES_FROM_ROOT.get(page) ?? page.replace(/^docs\//, ''));
  const relative = posix.relative(from, onSite.replace(/(^|\/)README\.md$/, '$1index.md'));
  return { href: `${relative.startsWith('.') ? relative : `./${relative}`}${onSite.endsWith('/') ? '/' : ''}${suffix}` };
}
