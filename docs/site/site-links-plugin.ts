import type { Markdown, Token } from './markdown-it.js';
import { PAGES_FROM_ROOT, siteLink } from './site-links.js';

/**
 * Has links of pages lead where they lead in a checkout (`siteLink`).
 *
 * @param repository address of the repository's files on the web, where there is one.
 */
export function siteLinksPlugin(markdown: Markdown, repository: string | undefined): void {
  markdown.core.ruler.after('inline', 'site-links', ({ tokens, env }) => {
    const page = sourceOf(env.relativePath ?? 'README.md');
    for (const { children } of tokens) if (children !== null) redirect(children, page, repository);
  });
}

/** The file that a page is made from, by its path from the repository's root. */
function sourceOf(page: string): string {
  const [fromRoot] = [...PAGES_FROM_ROOT].find(([, made]) => made === page) ?? [];
  return fromRoot ?? `docs/${page}`;
}

function redirect(tokens: Token[], page: string, repository: string | undefined): void {
  const kept: Token[] = [];
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = siteLink(page, token.attrGet('href') ?? '', repository);
      isText = link === 'text';
      if (isText) continue;
      if (link !== 'text') token.attrSet('href', link.href);
    }
    if (token.type === 'link_close' && isText) {
      isText = false;
      continue;
    }
    kept.push(token);
  }
  tokens.splice(0, tokens.length, ...kept);
}
