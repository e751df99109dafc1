import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { defineConfig } from 'vitepress';
import { pageTitles } from '../site/all-pages.js';
import { headingAnchor } from '../site/heading-anchor.js';
import { plainMarkdownPlugin } from '../site/plain-markdown-plugin.js';
import { SIDEBAR, sidebar } from '../site/sidebar.js';
import { siteLinksPlugin } from '../site/site-links-plugin.js';

/** Where the repository's files are on the web (`https://host/owner/name/blob/main`): links to files that are no pages lead there; without it they are text. */
const repository = process.env['SYSTOLE_REPOSITORY_URL'];

export default defineConfig({
  title: 'Systole',
  description: 'A high-availability cluster manager with an HTTP API: guides, runbooks and reference',
  lang: 'en',
  base: process.env['SYSTOLE_DOCS_BASE'] ?? '/',
  srcExclude: ['site/**', 'dist/**', 'node_modules/**'],
  // Addresses of a reader's own machine; all other links are checked here, and in what is built by link-check.ts.
  ignoreDeadLinks: 'localhostLinks',
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: headingAnchor },
    config: (markdown) => {
      plainMarkdownPlugin(markdown);
      siteLinksPlugin(markdown, repository);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Getting started', link: '/guide/getting-started' },
      { text: 'Runbooks', link: '/runbooks/' },
      { text: 'Options', link: '/guide/cluster-options' },
      { text: 'HTTP API', link: '/reference/api/' },
    ],
    sidebar: sidebar(SIDEBAR, pageTitles(fileURLToPath(new URL('..', import.meta.url)))),
  },
});
