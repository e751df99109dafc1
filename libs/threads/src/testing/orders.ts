/** What a thread of the tests is told to do. */
export type Order =
  | { readonly order: 'say'; readonly text: string }
  | { readonly order: 'show'; readonly key: string }
  | { readonly order: 'follow'; readonly breaks: boolean }
  | { readonly order: 'diverge' | 'give' | 'left' | 'rehearsed' | 'break' | 'exit' | 'fill' | 'spin' };

export interface Report {
  readonly threadId: number;
  readonly said: string;
  readonly bytes?: Uint8Array;
}
