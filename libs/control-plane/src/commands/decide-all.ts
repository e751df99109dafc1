import type { NewSecret, Sealing } from '@systole/cluster';
import {
  fold,
  type ClusterCommand,
  type ClusterEvent,
  type ClusterState,
  type DecideOptions,
  type Decision,
  type EpochVersion,
  type RecordedClusterEvent,
  type Rejection,
} from '@systole/cluster';

/** `decide` of `@systole/cluster`, wherever it is done. */
export type Decider = (
  command: ClusterCommand,
  state: ClusterState,
  options: Pick<DecideOptions, 'expected' | 'sealing'>,
) => Decision | Promise<Decision>;

/** When and by whom commands are decided. */
export interface DecisionContext {
  readonly actor: string;
  readonly correlationId: string;
  /** ISO 8601. */
  readonly now: string;
  /** Versions of the state before the first command, any of them. */
  readonly expected?: readonly EpochVersion[];
  /** With what secrets are taken out of what is written; none: they stay. */
  readonly sealing?: Sealing | undefined;
}

/** What the last command led to is not folded yet: who appends it does not ask. */
export interface LastDecided {
  readonly before: ClusterState;
  readonly events: readonly RecordedClusterEvent[];
}

export type DecidedAll =
  | {
      readonly ok: true;
      readonly events: readonly ClusterEvent[];
      readonly last: LastDecided;
      /** Values that the events refer to. */
      readonly secrets: readonly NewSecret[];
    }
  | { readonly ok: false; readonly rejection: Rejection };

/** To be called between two steps of long work: lets everything else have its turn when it is time. */
export type BetweenSteps = () => Promise<void>;

/** Decides one command after the other, each on the state that those before it lead to. */
export async function decideAll(
  decider: Decider,
  commands: readonly ClusterCommand[],
  before: ClusterState,
  { actor, correlationId, now, expected, sealing }: DecisionContext,
  betweenSteps?: BetweenSteps,
): Promise<DecidedAll> {
  const events: ClusterEvent[] = [];
  const secrets: NewSecret[] = [];
  let last: LastDecided = { before, events: [] };
  for (const [index, command] of commands.entries()) {
    if (index > 0) await betweenSteps?.();
    const state = fold(last.before, last.events);
    const decision = await decider(command, state, {
      ...(index === 0 && expected !== undefined ? { expected } : {}),
      // Ids follow from the seed: those of two commands must differ.
      ...(sealing === undefined ? {} : { sealing: { ...sealing, seed: `${sealing.seed} ${String(index)}` } }),
    });
    if (!decision.ok) return decision;
    events.push(...decision.events);
    secrets.push(...(decision.secrets ?? []));
    const at = { occurredAt: now, actor, correlationId };
    const recorded = decision.events.map((event, place) => ({ version: state.version + 1 + place, ...at, event }));
    last = { before: state, events: recorded };
  }
  return { ok: true, events, last, secrets };
}
