import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiPages } from './api/api-pages.js';
import { type OpenApiDocument, operationsOf } from './api/openapi-document.js';
import { decisionIndex } from './decision-index.js';
import { headingAnchor } from './heading-anchor.js';
import { shown } from './markdown-text.js';
import { sidebar } from './sidebar.js';
import { siteLink } from './site-links.js';

const file = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

describe('the reference of the API', () => {
  const document = JSON.parse(file('openapi/openapi.json')) as OpenApiDocument;
  const pages = apiPages(document);
  const textOf = (name: string): string => pages.find(({ path }) => path === `reference/api/${name}.md`)?.markdown ?? '';

  it('has each operation once, on the page of its tag, and in the overview', () => {
    for (const { operation } of operationsOf(document)) {
      const heading = `{#${operation.operationId}}`;
      expect(pages.filter(({ markdown }) => markdown.includes(heading)).map(({ path }) => path)).toEqual([
        `reference/api/${String(operation.tags[0])}.md`,
      ]);
      expect(textOf('index')).toContain(`#${operation.operationId})`);
    }
  });

  it('describes each schema once', () => {
    for (const name of Object.keys(document.components.schemas))
      expect([name, pages.filter(({ markdown }) => markdown.includes(`# ${name} {#${name}}`)).length]).toEqual([name, 1]);
  });

  it('shows what an operation takes and answers', () => {
    const [, section = ''] = /\{#confirmNodeDown\}([^]*?)\n## /.exec(textOf('nodes')) ?? [];
    expect(section).toContain('POST /v1/clusters/{cluster}/nodes/{node}/commands/confirm-down');
    expect(section).toContain('| `dryRun` | query | boolean |  | Change nothing;');
    expect(section).toMatch(/\| `application\/json` \| \[ConfirmDownBody\]\(\.\/nodes\.md#ConfirmDownBody\) \|/);
    expect(section).toContain('| 409 | Conflict | a [problem](./problems.md) |');
  });

  it('lists all problem types', () => {
    const types = document.components.schemas['ProblemType']?.enum ?? [];
    expect(types.length).toBeGreaterThan(50);
    for (const type of types) expect(textOf('problems')).toContain(`- \`${String(type).replace(/.*\//, '')}\``);
  });

  it('is not made of a document in which an operation has no page', () => {
    const untagged = { ...document, tags: document.tags.filter(({ name }) => name !== 'nodes') };
    expect(() => apiPages(untagged)).toThrow('no tag that is described');
  });
});

describe('text of the document', () => {
  it('is neither HTML nor markup, but for code spans', () => {
    expect(shown('<b> *a* `<x>_y_` [z]')).toBe('&lt;b> \\*a\\* `<x>_y_` \\[z\\]');
  });
});

describe('the runbooks', () => {
  const alerts = file('deploy/monitoring/alerts.yml')
    .split('- alert: ')
    .slice(1)
    .map((rule) => ({ name: /^\w+/.exec(rule)?.[0] ?? '', page: /^ +runbook: (\S+)$/m.exec(rule)?.[1] }));

  it('tell of alerts that there are', () => {
    const names = new Set(alerts.map(({ name }) => name));
    const told = [...file('docs/runbooks/README.md').matchAll(/`(Systole\w+)`/g)].map(([, name]) => name ?? '');
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((name) => !names.has(name))).toEqual([]);
  });

  it('tell of each alert that names one', () => {
    const pairs = alerts.flatMap(({ name, page }) => (page === undefined ? [] : [{ name, page }]));
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs.filter(({ name, page }) => !file(page).includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the sidebar', () => {
  const titles = new Map([
    ['README.md', 'Documentation'],
    ['guide/a.md', 'A'],
    ['guide/b.md', 'B'],
  ]);

  it('has the pages that its groups name, and the others of a folder after them', () => {
    const [group] = sidebar([{ text: 'All', pages: ['README.md', 'guide/b.md', 'guide/*'] }], titles);
    expect(group?.items).toEqual([
      { text: 'Documentation', link: '/' },
      { text: 'B', link: '/guide/b' },
      { text: 'A', link: '/guide/a' },
    ]);
  });

  it('refuses a page that nobody would find, and one that is not there', () => {
    expect(() => sidebar([{ text: 'Some', pages: ['README.md', 'guide/a.md'] }], titles)).toThrow(
      'no group of docs/site/sidebar.ts has guide/b.md',
    );
    expect(() => sidebar([{ text: 'All', pages: ['README.md', 'guide/*', 'gone.md'] }], titles)).toThrow('not there: gone.md');
  });
});

describe('a link of a page', () => {
  it('leads to the same page on the site', () => {
    expect(siteLink('docs/guide/a.md', '../spec/README.md#x')).toEqual({ href: '../spec/index.md#x' });
    expect(siteLink('docs/guide/a.md', 'b.md')).toEqual({ href: './b.md' });
    expect(siteLink('docs/README.md', 'decisions/')).toEqual({ href: './decisions/' });
    expect(siteLink('docs/README.md', '../SECURITY.md')).toEqual({ href: './project/security.md' });
    expect(siteLink('SECURITY.md', 'docs/guide/tls.md')).toEqual({ href: '../guide/tls.md' });
    expect(siteLink('docs/README.md', 'https://example.org')).toEqual({ href: 'https://example.org' });
  });

  it('to a file that is no page leads to the repository, where that is known', () => {
    expect(siteLink('docs/guide/metrics.md', '../../deploy/monitoring')).toBe('text');
    expect(siteLink('docs/guide/metrics.md', '../../deploy/monitoring', 'https://git.example/s/blob/main/')).toEqual({
      href: 'https://git.example/s/blob/main/deploy/monitoring',
    });
  });
});

describe('the index of decisions', () => {
  it('has the newest first, with its status', () => {
    const { markdown } = decisionIndex(
      new Map([
        ['0001-one.md', '# 1. One\n\nStatus: accepted, built.\n'],
        ['0002-two.md', '# 2. Two\n'],
      ]),
    );
    expect(markdown).toContain('| 0002 | [Two](./0002-two.md) |  |\n| 0001 | [One](./0001-one.md) | accepted, built |');
  });

  it('refuses a decision without a heading', () => {
    expect(() => decisionIndex(new Map([['0003-three.md', 'text']]))).toThrow('0003-three.md');
  });
});

describe('an anchor', () => {
  it('is the one that GitHub makes', () => {
    expect(headingAnchor("A second machine with a node's token")).toBe('a-second-machine-with-a-nodes-token');
    expect(headingAnchor('Pacemaker’s: `a_b` and 4 – c')).toBe('pacemakers-a_b-and-4--c');
  });
});
