import type { ComponentChildren, VNode } from 'preact';

/** A word with a colour that says how good it is; the word says it too. */
export function Badge({ mood, children }: { readonly mood: 'good' | 'warn' | 'bad' | 'off'; readonly children: ComponentChildren }): VNode {
  return <span class={`badge ${mood}`}>{children}</span>;
}
