import type { XmlElement } from '@systole/cib';
import { decide, type ClusterCommand, type ClusterState, type DecideOptions, type Decision } from '@systole/cluster';
import type { Caller } from '../computing/caller.js';
import type { ComputingLane } from '../computing/computing-lane.js';

/** Characters of a document above which a command is decided in a thread: below, reading it takes less than a few milliseconds. */
const LARGE = 16 * 1024;

/** For decisions that are under way for the log's sake: nobody's going ends them. */
const STAYS = new AbortController().signal;

/** Whether a command carries so large a document that it has to be read in a thread. */
export function isLarge(command: ClusterCommand): boolean {
  return (command.type === 'replace-configuration' || command.type === 'create-cluster') && (command.cib?.length ?? 0) > LARGE;
}

/** Decides commands, those with large documents in the thread for writes. */
export class LargeCommands {
  constructor(private readonly lane: ComputingLane) {}

  /** As {@link decide}. For the line of a cluster's commands: who sent it, and whether they still wait, is not asked any more. */
  readonly decide = (
    command: ClusterCommand,
    state: ClusterState,
    options: Pick<DecideOptions, 'expected'>,
  ): Decision | Promise<Decision> => {
    return isLarge(command) ? this.judge(command, state, options, { owner: 'commands', gone: STAYS }) : decide(command, state, options);
  };

  /**
   * Decides on a state, ahead of the line: reading a document is most of the work, and whatever is refused never comes into the line. The thread remembers
   * the document.
   *
   * @throws {HttpProblem} of the lane
   */
  judge(command: ClusterCommand, state: ClusterState, { expected }: Pick<DecideOptions, 'expected'>, caller: Caller): Promise<Decision> {
    return this.lane.compute(caller, () => ({
      kind: 'decide',
      command,
      state: { ...state, cib: withoutStatus(state.cib) },
      ...(expected === undefined ? {} : { expected }),
    }));
  }
}

/** A new configuration is compared with the present one; the status, which can be most of the document, need not travel. */
function withoutStatus(cib: XmlElement): XmlElement {
  return { ...cib, children: cib.children.filter((child) => child.kind !== 'element' || child.name !== 'status') };
}
