import type { TreeMessage } from '@systole/cib';

/** What a thread is told, in order. */
export type ToThread<Task> =
  /** A part of what a tree is now. */
  | { readonly kind: 'tree'; readonly message: TreeMessage }
  /** Forget what is known of these trees. */
  | { readonly kind: 'forget'; readonly keys: readonly string[] }
  /** Make yourself quick, while there is nothing else to do. */
  | { readonly kind: 'rehearse' }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task };

/** What a thread says of a task, by its id. */
export type FromThread<Result, Later> =
  | { readonly kind: 'done'; readonly id: number; readonly result: Result; readonly follows: boolean }
  /** What follows a result, for which nobody waits. */
  | { readonly kind: 'later'; readonly id: number; readonly later: Later }
  /** The tree has to be told whole: what is known of it is not what its changes are for. */
  | { readonly kind: 'diverged'; readonly id: number; readonly error: string }
  | { readonly kind: 'broke'; readonly id: number; readonly error: string };
