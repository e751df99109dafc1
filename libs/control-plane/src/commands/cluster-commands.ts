import { clusterNameTaken, decide, epochVersion, type ClusterCommand, type ClusterState } from '@systole/cluster';
import type { Chance, Clock } from '../ports/clock.js';
import { OutcomeUnknown, type Append, type Appended, type AppendOutcome, type ClusterLog } from '../ports/cluster-log.js';
import { pause } from '../time/pause.js';
import { CommandContention, type ExecuteOptions, type ExecuteResult, type PreviewResult } from './command-results.js';
import { decideAll, type DecisionContext, type Decider } from './decide-all.js';
import { SerialByKey } from './serial-by-key.js';

/** Conflicts with other processes that are met with another decision before the command is given up. */
const ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 20;
/** How often, and how far apart, it is looked for what became of a commit whose answer got lost. */
const LOOKS = 10;
const LOOK_PAUSE_MS = 200;

export interface ClusterCommandsParts {
  readonly log: ClusterLog;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Decides commands; for those whose documents are too large to be read here. Default: {@link decide}. */
  readonly decide?: Decider;
  /** Called after each append that committed, e.g. to enqueue the worker's job. Must not throw. */
  readonly onAppended?: (clusterId: string, version: number) => void;
}

/** An append of which nobody knows yet whether it took place; it can only have at the version that it expected. */
type Doubt = Pick<Append, 'expectedVersion'>;

/**
 * How everything is asked of a cluster: load the state, decide, append with the version that was judged, and decide again when somebody else
 * was faster. Commands of one process on one cluster go one after the other, so that they do not conflict among themselves.
 *
 * No command runs twice: when the answer to a commit gets lost, what stands in the stream at those versions says whether it was this command. As long as
 * nothing stands there, only an append at the same version may be tried, for at most one of the two can take place.
 */
export class ClusterCommands {
  private readonly serial = new SerialByKey();
  private readonly decide: Decider;

  constructor(private readonly parts: ClusterCommandsParts) {
    this.decide = parts.decide ?? decide;
  }

  /**
   * @throws {CommandContention}
   * @throws {OutcomeUnknown} when the log stayed away, so that nobody could look what became of the command
   */
  async execute(clusterId: string, command: ClusterCommand, options: ExecuteOptions): Promise<ExecuteResult> {
    return this.executeAll(clusterId, [command], options);
  }

  /** The same for several commands, each decided on what those before it make of the state; all or none take place. */
  async executeAll(clusterId: string, commands: readonly ClusterCommand[], options: ExecuteOptions): Promise<ExecuteResult> {
    const name = options.commandName ?? commands[0]?.type ?? 'nothing';
    return this.serial.run(clusterId, async () => {
      const { log, clock, chance } = this.parts;
      const { request } = options;
      const causationId = request?.id ?? chance.uuid();
      const before = request?.repeated === true && (await this.patiently(clusterId, () => log.causedBy(clusterId, causationId, 1)));
      if (before) return this.done(await this.patiently(clusterId, () => log.load(clusterId)), clusterId, before);
      let doubt: Doubt | undefined;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const state = await this.stateAfter(clusterId, doubt);
        const earlier = await this.resolve(clusterId, causationId, state, doubt);
        if (earlier) return this.done(state, clusterId, earlier);
        if (doubt && doubt.expectedVersion !== state.version) doubt = undefined;

        const decision = await decideAll(this.decide, commands, state, { ...options, now: new Date(clock.timeOfDay()).toISOString() });
        if (!decision.ok) return decision;
        const unchanged: ExecuteResult = { ok: true, ...epochVersion(state), events: [] };
        if (decision.events.length === 0) return unchanged;
        const { actor, correlationId, guard, within, admit } = options;
        await admit?.(decision.events, state);
        const append: Append = {
          clusterId,
          expectedVersion: state.version,
          events: decision.events,
          meta: { actor, command: name, correlationId, causationId },
          ...(guard === undefined ? {} : { guard }),
          ...(within === undefined ? {} : { within: (tables, appended) => within(tables, appended, state) }),
        };
        const outcome = await attemptTo(() => log.append(append));
        switch (outcome.type) {
          case 'appended':
            return this.done(state, clusterId, outcome.appended);
          case 'guarded':
            if (!doubt) return unchanged;
            break;
          case 'name-taken':
            if (!doubt) return { ok: false, rejection: clusterNameTaken(outcome.name) };
            break;
          case 'unknown':
            doubt = append;
            break;
          case 'conflict': {
            // Perhaps with another attempt of the same request, in a process that was taken for dead.
            const other = request && (await this.patiently(clusterId, () => log.causedBy(clusterId, causationId, state.version + 1)));
            if (other) return this.done(state, clusterId, other);
          }
        }
        if (attempt > 1) await pause(clock, chance.fraction() * LONGEST_PAUSE_MS);
      }
      if (doubt) throw new OutcomeUnknown(clusterId);
      throw new CommandContention(clusterId, name, ATTEMPTS);
    });
  }

  /**
   * What the command would do; appends nothing.
   *
   * @param now ISO 8601; the events' time in `after`
   */
  async preview(clusterId: string, command: ClusterCommand, options: DecisionContext): Promise<PreviewResult> {
    const before = await this.parts.log.load(clusterId);
    const decision = await decideAll(this.decide, [command], before, options);
    return decision.ok ? { ...decision, ...epochVersion(before), before } : decision;
  }

  /** @param state of the log that it was appended to */
  private done(state: ClusterState, clusterId: string, { lastVersion: version, events }: Appended): ExecuteResult {
    this.parts.onAppended?.(clusterId, version);
    return { ok: true, ...epochVersion(state, version), events };
  }

  /** The state now; of a command in doubt the log is asked again and again, for the answer to be wrong would be worse than late. */
  private async stateAfter(clusterId: string, doubt: Doubt | undefined): Promise<ClusterState> {
    const load = () => this.parts.log.load(clusterId);
    return doubt ? this.patiently(clusterId, load) : load();
  }

  /** What the append in doubt came to, when it did take place. */
  private async resolve(
    clusterId: string,
    causationId: string,
    state: ClusterState,
    doubt: Doubt | undefined,
  ): Promise<Appended | undefined> {
    if (!doubt || state.version <= doubt.expectedVersion) return undefined;
    return this.patiently(clusterId, () => this.parts.log.appendedBy(clusterId, causationId, doubt.expectedVersion + 1));
  }

  /** Looks for what became of something that may have taken place: an error would be told as if it had not. */
  private async patiently<T>(clusterId: string, look: () => Promise<T>): Promise<T> {
    for (let looks = 1; ; looks++) {
      try {
        return await look();
      } catch (error) {
        if (looks === LOOKS) throw new OutcomeUnknown(clusterId, { cause: error });
        await pause(this.parts.clock, LOOK_PAUSE_MS);
      }
    }
  }
}

/** The outcome; an unknown one is one of them. */
async function attemptTo(append: () => Promise<AppendOutcome>): Promise<AppendOutcome | { readonly type: 'unknown' }> {
  try {
    return await append();
  } catch (error) {
    if (error instanceof OutcomeUnknown) return { type: 'unknown' };
    throw error;
  }
}
