/** What the plugins of this site use of markdown-it, of which VitePress brings a copy of its own. */
export interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

export interface CoreState {
  readonly tokens: readonly Token[];
  /** Of the page: its path on the site, such as `guide/agent.md`. */
  readonly env: { readonly relativePath?: string };
}

/** Arguments are passed on only. */
export type RenderRule = (...given: readonly never[]) => string;

export interface Markdown {
  readonly core: { readonly ruler: { after(rule: string, name: string, then: (state: CoreState) => void): void } };
  readonly renderer: { readonly rules: Record<string, RenderRule | undefined> };
}
