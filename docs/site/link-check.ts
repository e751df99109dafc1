import { posix } from 'node:path';

/** What one built page refers to, and what others may refer to in it. */
interface BuiltPage {
  readonly anchors: ReadonlySet<string>;
  /** Links that a reader follows. */
  readonly links: readonly string[];
  /** What a browser loads with the page. */
  readonly loaded: readonly string[];
}

/**
 * What is wrong with a built site, a line each: links to pages or anchors that are not there, and whatever a browser would load from somewhere else.
 *
 * @param files paths of all files of the site; text of its pages and style sheets.
 * @param base address of the site's root, such as `/` or `/systole/`.
 * @throws when there is no page at all.
 */
export function siteProblems(files: ReadonlyMap<string, string>, base: string): string[] {
  const pages = new Map([...files].filter(([path]) => path.endsWith('.html')).map(([path, html]) => [path, readPage(html)]));
  if (pages.size === 0) throw new Error('the built site has no page: was it built?');
  const sheets = [...files].filter(([path]) => path.endsWith('.css'));
  const problems = [
    ...[...pages].flatMap(([path, { links, loaded }]) => [
      ...links.map((target) => linkProblem(path, target, pages, files, base)).map((problem) => problem && `${path}: ${problem}`),
      ...loaded.map((target) => loadProblem(path, target, files, base)).map((problem) => problem && `${path}: ${problem}`),
    ]),
    ...sheets.flatMap(([path, css]) =>
      loadedByStyles(css)
        .filter(isElsewhere)
        .map((target) => `${path}: loads "${target}" from elsewhere`),
    ),
  ];
  return [...new Set(problems.filter((problem) => problem !== undefined))];
}

function readPage(html: string): BuiltPage {
  const tags = [...html.matchAll(/<([a-z][a-z0-9-]*)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi)].map(([, name = '', text = '']) => ({
    name: name.toLowerCase(),
    text,
  }));
  const all = (names: readonly string[], attribute: string): string[] =>
    tags.filter(({ name }) => names.includes(name)).flatMap(({ text }) => attributeOf(text, attribute) ?? []);
  return {
    anchors: new Set(tags.flatMap(({ text }) => attributeOf(text, 'id') ?? [])),
    links: all(['a'], 'href'),
    loaded: [...all(['link'], 'href'), ...all(['script', 'img', 'iframe', 'source', 'video', 'audio', 'embed'], 'src')],
  };
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag) ?? [];
  return (double ?? single)?.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}

function loadedByStyles(css: string): string[] {
  const urls = [...css.matchAll(/url\(\s*["']?([^"')]*)/g), ...css.matchAll(/@import\s+["']([^"']*)/g)];
  return urls.map(([, target = '']) => target);
}

function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z+.-]*:)?\/\//i.test(target);
}

function loadProblem(page: string, target: string, files: ReadonlyMap<string, string>, base: string): string | undefined {
  if (target.startsWith('data:')) return undefined;
  if (isElsewhere(target)) return `loads "${target}" from elsewhere`;
  return files.has(filePath(page, target, base)) ? undefined : `loads "${target}", which is not there`;
}

function linkProblem(
  page: string,
  target: string,
  pages: ReadonlyMap<string, BuiltPage>,
  files: ReadonlyMap<string, string>,
  base: string,
): string | undefined {
  if (isElsewhere(target) || /^(?:mailto|data):/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#', 2);
  const file = path === '' ? page : filePath(page, path, base);
  if (!files.has(file)) return `link "${target}": there is no ${file}`;
  if (anchor === undefined || anchor === '') return undefined;
  return pages.get(file)?.anchors.has(decodeURIComponent(anchor)) === true
    ? undefined
    : `link "${target}": ${file} has no anchor "${anchor}"`;
}

/** The file that a server gives for an address. */
function filePath(page: string, target: string, base: string): string {
  const [address = ''] = decodeURI(target).split(/[?#]/);
  const absolute = address.startsWith('/')
    ? address.startsWith(base)
      ? address.slice(base.length)
      : `..${address}`
    : posix.join(posix.dirname(page), address);
  if (absolute === '' || absolute === '.' || absolute.endsWith('/')) return posix.join(absolute, 'index.html');
  return posix.normalize(absolute);
}
