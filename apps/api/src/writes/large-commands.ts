import { firstChildNamed, holdsMoreThan } from '@systole/cib';
import { decide, initialState, type ClusterCommand, type ClusterState, type DecideOptions, type Decision } from '@systole/cluster';
import type { Caller } from '../computing/caller.js';
import type { ComputingLane } from '../computing/computing-lane.js';
import { rememberedReading } from '../computing/remembered-readings.js';

/** Characters of a document above which a command is decided in a thread: below, reading it takes less than a few milliseconds. */
const LARGE = 16 * 1024;

/** Nodes in a configuration from which on one that is edited is validated in a thread: below, that takes less than a few milliseconds. */
const LARGE_CONFIGURATION = 1_000;

/** For decisions that are under way for the log's sake: nobody's going ends them. */
const STAYS = new AbortController().signal;

/** Whether a command carries so large a document that it has to be read in a thread. */
export function isLarge(command: ClusterCommand): boolean {
  return (command.type === 'replace-configuration' || command.type === 'create-cluster') && (command.cib?.length ?? 0) > LARGE;
}

/** Whether a large configuration has to be validated for a command. */
function isLargeEdit(command: ClusterCommand, { cib }: ClusterState): boolean {
  const configuration = command.type === 'edit-configuration' ? firstChildNamed(cib, 'configuration') : undefined;
  return configuration !== undefined && holdsMoreThan(configuration, LARGE_CONFIGURATION);
}

/** Decides commands, those with large documents in the thread for writes. */
export class LargeCommands {
  constructor(private readonly lane: ComputingLane) {}

  /** As {@link decide}. For the line of a cluster's commands: who sent it, and whether they still wait, is not asked any more. */
  readonly decide = (
    command: ClusterCommand,
    state: ClusterState,
    options: Pick<DecideOptions, 'expected' | 'sealing'>,
  ): Decision | Promise<Decision> => {
    const isInThread = isLarge(command) || isLargeEdit(command, state);
    return isInThread
      ? this.judge(command, state, options, { owner: 'commands', gone: STAYS })
      : decide(command, state, { ...options, read: rememberedReading });
  };

  /**
   * Decides on a state, ahead of the line: reading a document is most of the work, and whatever is refused never comes into the line. The thread remembers
   * the document.
   *
   * @throws {HttpProblem} of the lane
   */
  judge(
    command: ClusterCommand,
    state: ClusterState,
    { expected, sealing }: Pick<DecideOptions, 'expected' | 'sealing'>,
    caller: Caller,
  ): Promise<Decision> {
    const { cib, ...rest } = withoutHistories(state);
    const tell = { key: `configuration of ${state.name}`, tree: cib };
    return this.lane.compute(
      caller,
      () => ({
        kind: 'decide',
        command,
        state: rest,
        cib: { format: 'told', key: tell.key },
        ...(expected === undefined ? {} : { expected }),
        ...(sealing === undefined ? {} : { sealing }),
      }),
      tell,
    );
  }
}

/** A new configuration is compared with the present one; the status, which can be most of the document, and what results are recognised by need not travel. */
function withoutHistories(state: ClusterState): ClusterState {
  const { cib, transition } = state;
  const { recentResults } = initialState();
  return {
    ...state,
    cib: { ...cib, children: cib.children.filter((child) => child.kind !== 'element' || child.name !== 'status') },
    recentResults,
    ...(transition === undefined ? {} : { transition: { ...transition, results: { length: 0, tree: [] } } }),
  };
}
