import {
  evolve,
  type ClusterCommand,
  type ClusterEvent,
  type ClusterState,
  type DecideOptions,
  type Decision,
  type EpochVersion,
  type Rejection,
} from '@systole/cluster';

/** `decide` of `@systole/cluster`, wherever it is done. */
export type Decider = (
  command: ClusterCommand,
  state: ClusterState,
  options: Pick<DecideOptions, 'expected'>,
) => Decision | Promise<Decision>;

/** When and by whom commands are decided. */
export interface DecisionContext {
  readonly actor: string;
  /** ISO 8601. */
  readonly now: string;
  /** Versions of the state before the first command, any of them. */
  readonly expected?: readonly EpochVersion[];
}

export type DecidedAll =
  | { readonly ok: true; readonly events: readonly ClusterEvent[]; readonly after: ClusterState }
  | { readonly ok: false; readonly rejection: Rejection };

/** Decides one command after the other, each on the state that those before it lead to. */
export async function decideAll(
  decider: Decider,
  commands: readonly ClusterCommand[],
  before: ClusterState,
  { actor, now, expected }: DecisionContext,
): Promise<DecidedAll> {
  const events: ClusterEvent[] = [];
  let after = before;
  for (const [index, command] of commands.entries()) {
    const decision = await decider(command, after, index === 0 && expected !== undefined ? { expected } : {});
    if (!decision.ok) return decision;
    for (const event of decision.events) {
      events.push(event);
      after = evolve(after, { version: after.version + 1, occurredAt: now, actor, event });
    }
  }
  return { ok: true, events, after };
}
