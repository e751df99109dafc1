import { epochVersion, WORKER_ACTOR, type ClusterCommand, type ClusterEvent, type Rejection } from '@systole/cluster';
import type { ClusterCommands } from '../commands/cluster-commands.js';
import type { ExecuteOptions } from '../commands/command-results.js';
import type { Chance } from '../ports/clock.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import { MOVED, type Progress } from './progress.js';

/** A decision was refused although the state was the one that it was made on: a fault of this program. */
export class DecisionRefused extends Error {
  override readonly name = 'DecisionRefused';
  constructor(
    readonly command: ClusterCommand['type'],
    readonly rejection: Rejection,
  ) {
    super(`${command} was refused: ${rejection.message}`);
  }
}

/** What came of a decision: nothing of a `stale` one was appended, for the stream has moved on. */
export type DecisionOutcome =
  | { readonly type: 'appended'; readonly version: number; readonly events: readonly ClusterEvent[] }
  | { readonly type: 'nothing' }
  | { readonly type: 'stale' };

/** Appends the worker's decisions, each as long as nothing came that it rests on since the version that it was made on (S3; `decide`). */
export class Decisions {
  constructor(
    private readonly commands: ClusterCommands,
    private readonly chance: Chance,
  ) {}

  /** @throws DecisionRefused */
  async append(cluster: ClusterAtTurn, command: ClusterCommand, within?: ExecuteOptions['within']): Promise<DecisionOutcome> {
    cluster.assertHeld();
    const result = await this.commands.execute(cluster.clusterId, command, {
      actor: WORKER_ACTOR,
      correlationId: this.chance.uuid(),
      carriesCorrelation: true,
      expected: [epochVersion(cluster.state)],
      ...(within === undefined ? {} : { within }),
    });
    if (result.ok)
      return result.events.length === 0 ? { type: 'nothing' } : { type: 'appended', version: result.version, events: result.events };
    if (isOvertaken(result.rejection, cluster)) return { type: 'stale' };
    throw new DecisionRefused(command.type, result.rejection);
  }

  /** The same, as progress: whatever came of it but `nothing`, the cluster is to be looked at again. */
  async decide(cluster: ClusterAtTurn, command: ClusterCommand): Promise<Progress> {
    return progressOf(await this.append(cluster, command));
  }
}

/** Whatever came of a decision but `nothing`, the cluster is to be looked at again. */
export function progressOf({ type }: DecisionOutcome): Progress {
  return type === 'nothing' ? { type: 'resting' } : MOVED;
}

/** Whether a decision is no longer the one to be made, as opposed to one that was wrong when it was made. */
function isOvertaken({ code, currentVersion }: Rejection, { state }: ClusterAtTurn): boolean {
  switch (code) {
    case 'version-mismatch':
    case 'cluster-not-found':
      return true;
    case 'stale-decision':
    case 'transition-not-found':
      return currentVersion !== state.version;
    default:
      return false;
  }
}
