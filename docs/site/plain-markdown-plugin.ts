import type { Markdown, RenderRule, Token } from './markdown-it.js';

/**
 * Has pages be Markdown and nothing else, so that they read the same on GitHub. `<name>` outside of a code span is an HTML element, of which a reader sees nothing there, and Vue finds no end
 * here: it is refused. `{{` begins an expression of Vue's: it is shown as it is written. Comments may stand.
 */
export function plainMarkdownPlugin(markdown: Markdown): void {
  markdown.core.ruler.after('inline', 'plain-markdown', ({ tokens, env }) => {
    const html = tokens.flatMap((token) => [token, ...(token.children ?? [])]).filter(isElement);
    if (html.length === 0) return;
    const texts = html.map(({ content }) => content.trim().split('\n', 1)[0]);
    throw new Error(
      `docs/${env.relativePath ?? ''}: ${texts.join(', ')}: GitHub takes that for HTML and does not show it. Put it into backquotes`,
    );
  });
  const { rules } = markdown.renderer;
  for (const name of ['text', 'code_inline']) {
    const render = rules[name];
    if (render === undefined)
      throw new Error(`this markdown-it renders no ${name}: see what replaces that, or {{ becomes an expression of Vue's`);
    rules[name] = withoutExpressions(render);
  }
}

function withoutExpressions(render: RenderRule): RenderRule {
  return (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
}

function isElement({ type, content }: Token): boolean {
  return (type === 'html_inline' || type === 'html_block') && !/^\s*<!--.*-->\s*$/s.test(content);
}
