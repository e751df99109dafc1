import type { AgentAction, UnansweredAction } from '@systole/cluster';

/** What the server records of an action that no agent answers. @param at epoch ms of the moment at which that was known */
export function unansweredAction(
  { actionId, transitionKey, resource, operation, intervalMs, digests, migrateSource, migrateTarget }: AgentAction,
  { node, at, execMs }: { readonly node: string; readonly at: number; readonly execMs: number },
): UnansweredAction {
  return {
    ...{ actionId, node, transitionKey, resource, operation, intervalMs, at: Math.floor(at / 1000), execMs },
    ...(digests === undefined ? {} : { digests }),
    ...(migrateSource === undefined ? {} : { migrateSource }),
    ...(migrateTarget === undefined ? {} : { migrateTarget }),
  };
}
