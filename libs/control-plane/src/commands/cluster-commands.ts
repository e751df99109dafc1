import type { HeldSecret, NewSecret, Sealing } from '@systole/cluster';
import {
  clusterNameTaken,
  correlationCarried,
  decide,
  epochVersion,
  evolve,
  evolveAhead,
  containersEndedBy,
  livesEndedBy,
  type ClusterCommand,
  type ClusterEvent,
  type ClusterState,
} from '@systole/cluster';
import type { Chance, Clock } from '../ports/clock.js';
import {
  HeldTooLong,
  OutcomeUnknown,
  Unstorable,
  type Append,
  type Appended,
  type AppendOutcome,
  type AppendPart,
  type ClusterLog,
} from '../ports/cluster-log.js';
import type { AppendFigures } from '../ports/figures.js';
import type { SecretStore } from '../ports/secrets.js';
import type { StoredAppend } from '../tracing/event-spans.js';
import { pause } from '../time/pause.js';
import { Contention } from './contention.js';
import { CommandContention, type ExecuteOptions, type ExecuteResult, type PreviewResult } from './command-results.js';
import { decideAll, type BetweenSteps, type DecisionContext, type Decider, type LastDecided } from './decide-all.js';
import { CommandQueue } from './command-queue.js';
import { MAY_BE_TAKEN_OVER_MS, refuseLate } from './request-age.js';
import { Untold, type Asking } from './untold.js';

/** What may bring parameters into a configuration. */
const WRITES_PARAMETERS: ReadonlySet<ClusterCommand['type']> = new Set<ClusterCommand['type']>([
  'create-cluster',
  'replace-configuration',
  'edit-configuration',
  'set-resource-value',
  'rename-resource',
  'change-document',
  'ask-for-agent',
]);

/** Decisions that are made anew, of whatever reason, before the command is given up. */
const ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 20;
/**
 * For how long a stream is held for a decision at most. Those who wait for a stream wait longer (10 s), and only the first of them may hold it after that: nobody is
 * refused because of it.
 */
const HOLD_MS = 8_000;
/** Until it is tried again to hold a stream while another one is held. All attempts together take longer than a hold. */
const BUSY_PAUSE_MS = 200;
/** How often, and how far apart, it is looked for what became of a commit whose answer got lost. */
const LOOKS = 10;
const LOOK_PAUSE_MS = 200;

export interface ClusterCommandsParts {
  readonly log: ClusterLog;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Decides commands; for those whose documents are too large to be read here. Default: {@link decide}. */
  readonly decide?: Decider;
  /** Does long work with pauses in which something else has its turn. Default: in one go. */
  readonly bitByBit?: (steps: Iterator<unknown, unknown, undefined>) => Promise<unknown>;
  /** Begins long work whose steps may wait for something; what it answers is called between two of them. Default: in one go. */
  readonly slices?: () => BetweenSteps;
  /** Called after each append that committed, e.g. to enqueue the worker's job. Must not throw. */
  readonly onAppended?: (clusterId: string, version: number) => void;
  /** None: nobody counts. */
  readonly figures?: AppendFigures;
  /** Told what each command appended, once it committed. Must not throw. None: nobody traces. */
  readonly onStored?: (append: StoredAppend) => void;
  /** Where the values of secrets are kept. None: they stay where they were written. */
  readonly secrets?: SecretStore;
}

/** Commands, or what makes them of the state that they are decided on. */
export type CommandsOf =
  | readonly ClusterCommand[]
  | { readonly type: ClusterCommand['type']; readonly madeOf: (judged: ClusterState) => Promise<readonly ClusterCommand[]> };

/** What somebody asks for: several commands, all or none. */
interface Asked extends Asking {
  readonly commands: CommandsOf;
  readonly options: ExecuteOptions;
  readonly name: string;
  readonly causationId: string;
  readonly groupable: boolean;
  /** Monotonic ms: since when it is asked for. */
  readonly since: number;
  /** Stream version up to which it was looked for another attempt of the same request; absent: it was not. */
  lookedTo?: number;
}

/** What is to be appended for one of a group. */
interface Decided {
  readonly asked: Asked;
  readonly part: AppendPart;
  /** What was judged: the stored state, and upon it what those before in the group append. */
  readonly judged: ClusterState;
  /** What its work on the tables threw. */
  thrown?: unknown;
}

/** What was decided for a group. */
interface Proposal {
  readonly decided: readonly Decided[];
  /** What those are told for whom nothing is to be appended. */
  readonly others: ReadonlyMap<Asked, ExecuteResult>;
  /** Undefined when nothing is to be. */
  readonly append: Append | undefined;
  /** The version that was judged. */
  readonly version: number;
}

const UNDECIDED: Pick<Proposal, 'decided' | 'others'> = { decided: [], others: new Map() };

/** What became of an attempt. */
type AttemptOutcome =
  | AppendOutcome
  | { readonly type: 'nothing' | 'refused' | 'unstorable' | 'held-too-long' }
  /** Nobody knows. */
  | { readonly type: 'unknown'; readonly expectedVersion: number };

interface Attempted extends Pick<Proposal, 'decided' | 'others'> {
  readonly outcome: AttemptOutcome;
}

/**
 * How everything is asked of a cluster: load the state, decide, append with the version that was judged, and decide again when somebody else
 * was faster. What goes on losing is decided while the stream is held. Commands of one process on one cluster go one after the other, so that they do not conflict among themselves; those that come while an append is on its
 * way are decided one upon the other and appended together. Nobody is answered before what the answer rests on is stored.
 *
 * No command runs twice: when the answer to a commit gets lost, what stands in the stream at those versions says whether it was this command. As long as
 * nothing stands there, only an append at the same version may be tried, for at most one of the two can take place.
 */
export class ClusterCommands {
  private readonly queue = new CommandQueue<Asked>((clusterId, group) => this.executeGroup(clusterId, group));
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

  /**
   * What an earlier attempt of a request has done; undefined as long as it has done nothing.
   *
   * @throws {OutcomeUnknown} when the log stayed away
   */
  async earlier(clusterId: string, requestId: string): Promise<ExecuteResult | undefined> {
    const { log } = this.parts;
    const before = await this.patiently(clusterId, () => log.causedBy(clusterId, requestId, 1));
    return before && this.done(await this.patiently(clusterId, () => log.load(clusterId)), clusterId, before);
  }

  /** The same for several commands, each decided on what those before it make of the state; all or none take place. */
  executeAll(clusterId: string, commands: CommandsOf, options: ExecuteOptions): Promise<ExecuteResult> {
    const { commandName, request, guard, expected, refusing, received } = options;
    return new Promise((settle, fail) => {
      this.queue.add(clusterId, {
        commands,
        options,
        name: commandName ?? ('madeOf' in commands ? commands.type : commands[0]?.type) ?? 'nothing',
        causationId: request?.id ?? this.parts.chance.uuid(),
        // What is asked of one state, or may have been done by another process, is looked at alone.
        groupable: request === undefined && guard === undefined && expected === undefined && refusing === undefined,
        since: received?.at ?? this.parts.clock.monotonic(),
        settle,
        fail,
      });
    });
  }

  /**
   * What the command would do; appends nothing.
   *
   * @param now ISO 8601; the events' time in `after`
   */
  async preview(
    clusterId: string,
    command: ClusterCommand,
    options: Omit<DecisionContext, 'sealing'> & Pick<ExecuteOptions, 'seesSecrets'>,
  ): Promise<PreviewResult> {
    const before = await this.parts.log.load(clusterId);
    const sealing = await this.sealingOf(clusterId, command, options);
    const decision = await decideAll(this.decide, [command], before, { ...options, sealing });
    if (!decision.ok) return decision;
    return { ok: true, events: decision.events, after: await this.after(decision.last), ...epochVersion(before), before };
  }

  /** With what secrets are taken out of what a command writes; undefined for one that writes no parameters. */
  private async sealingOf(
    clusterId: string,
    { type }: Pick<ClusterCommand, 'type'>,
    { seesSecrets = false }: Pick<ExecuteOptions, 'seesSecrets'>,
    made: Readonly<Record<string, HeldSecret>> = {},
  ): Promise<Sealing | undefined> {
    const { secrets, chance } = this.parts;
    if (secrets === undefined || !WRITES_PARAMETERS.has(type)) return undefined;
    const held = { ...(await secrets.held(clusterId)), ...made };
    const { patterns, mayKeep } = secrets;
    return { seed: chance.uuid(), held, patterns, mayKeep, mayMove: seesSecrets };
  }

  private async after({ before, events }: LastDecided): Promise<ClusterState> {
    const betweenSteps = this.parts.slices?.();
    let state = before;
    for (const event of events) {
      await betweenSteps?.();
      await this.parts.bitByBit?.(evolveAhead(state, event));
      state = evolve(state, event);
    }
    return state;
  }

  /** Settles each of them. */
  private async executeGroup(clusterId: string, group: readonly Asked[]): Promise<void> {
    const untold = new Untold(clusterId, group);
    try {
      await this.settleAll(clusterId, untold);
    } catch (error) {
      untold.failAll(error);
    }
  }

  private async settleAll(clusterId: string, untold: Untold<Asked>): Promise<void> {
    const { clock, chance } = this.parts;
    const beganAt = clock.monotonic();
    const contention = new Contention();
    await this.settleRepeated(clusterId, untold);
    for (let attempt = 1; attempt <= ATTEMPTS && !untold.isEmpty(); attempt++) {
      if (contention.isHopeless && contention.isLong && untold.open.length > 1 && untold.doubtedVersion === undefined) {
        await this.eachAlone(clusterId, untold);
        return;
      }
      const attempted = await this.attempt(clusterId, untold, contention);
      if (attempted.outcome.type === 'held-too-long') break;
      await this.settleBy(clusterId, untold, attempted);
      if (attempt > 1 && !untold.isEmpty() && attempted.outcome.type !== 'refused')
        await pause(clock, chance.fraction() * LONGEST_PAUSE_MS);
    }
    untold.failAll(new CommandContention(clusterId, untold.open[0]?.name ?? '', contention.conflicts, clock.monotonic() - beganAt));
  }

  /** Tells what came of an attempt, as far as that is known. */
  private async settleBy(clusterId: string, untold: Untold<Asked>, { outcome, decided, others }: Attempted): Promise<void> {
    switch (outcome.type) {
      case 'nothing':
        for (const [asked, result] of others) untold.settle(asked, result);
        break;
      case 'appended':
        for (const [index, { events, lastVersion, occurredAt }] of outcome.appended.entries()) {
          const of = decided[index];
          if (of === undefined) continue;
          untold.stored(of.asked, { ok: true, ...epochVersion(of.judged, lastVersion), events });
          this.parts.onStored?.(storedBy(clusterId, of, events, occurredAt));
        }
        this.parts.figures?.appended({
          requests: outcome.appended.length,
          events: outcome.appended.reduce((sum, { events }) => sum + events.length, 0),
        });
        // What was in doubt had to come to stand where this stands now.
        untold.endDoubt();
        for (const [asked, result] of others) untold.settle(asked, result);
        for (const { lastVersion } of outcome.appended.slice(-1)) this.parts.onAppended?.(clusterId, lastVersion);
        break;
      case 'guarded':
        // Only what goes alone has a guard.
        for (const { asked, judged } of decided) untold.settle(asked, { ok: true, ...epochVersion(judged), events: [] });
        break;
      case 'name-taken':
        if (decided.length > 1) await this.eachAlone(clusterId, untold);
        else for (const { asked } of decided) untold.settle(asked, { ok: false, rejection: clusterNameTaken(outcome.name) });
        break;
      case 'unstorable':
        await this.eachAlone(clusterId, untold);
        break;
      case 'unknown':
        untold.doubt(
          outcome.expectedVersion,
          decided.map(({ asked }) => asked),
        );
        break;
      case 'refused':
      case 'conflict':
      case 'held-too-long':
    }
  }

  /** Decides on the newest state and appends. What would only lose again is decided while the stream is held, if none is; never while something is in doubt. */
  private async attempt(clusterId: string, untold: Untold<Asked>, contention: Contention): Promise<Attempted> {
    const { log, clock } = this.parts;
    const made: { proposal?: Proposal } = {};
    const appendTo = async (state: ClusterState): Promise<Append | undefined> => {
      made.proposal = await this.propose(clusterId, untold, contention, state);
      return made.proposal.append;
    };
    const attempting = async (): Promise<AttemptOutcome> => {
      if (contention.isHopeless && untold.doubtedVersion === undefined) {
        const held = await log.appendHolding(clusterId, HOLD_MS, appendTo);
        if (held.type !== 'busy') return held;
        await pause(clock, BUSY_PAUSE_MS);
      }
      const append = await appendTo(await this.stateAfter(clusterId, untold));
      return append === undefined ? { type: 'nothing' } : log.append(append);
    };
    const outcome = await attempting().catch((error: unknown) => this.failedBy(error, made.proposal, untold));
    if (outcome.type === 'conflict') contention.conflict(made.proposal?.version);
    return { outcome, ...(made.proposal ?? UNDECIDED) };
  }

  /** What one of them holds is refused with all that goes together with it. As long as something of it is in doubt it goes on together: what could take place but once may not be tried in parts. */
  private async eachAlone(clusterId: string, untold: Untold<Asked>): Promise<void> {
    if (untold.doubtedVersion !== undefined) return;
    for (const asked of untold.open) {
      untold.leave(asked);
      await this.executeGroup(clusterId, [asked]);
    }
  }

  /** An earlier attempt of a request ended without saying how. */
  private async settleRepeated(clusterId: string, untold: Untold<Asked>): Promise<void> {
    for (const asked of untold.open) {
      if (asked.options.request?.repeated !== true) continue;
      const before = await this.earlier(clusterId, asked.causationId);
      if (before) untold.stored(asked, before);
    }
  }

  /**
   * Of an append in doubt all stands in the stream from the version on that it expected, one after the other, or nothing does. As long as the stream is at that version it
   * may still take place.
   */
  private async settleDoubtful(clusterId: string, untold: Untold<Asked>, state: ClusterState): Promise<void> {
    const { doubtedVersion } = untold;
    if (doubtedVersion === undefined || state.version === doubtedVersion) return;
    let next = doubtedVersion + 1;
    for (const asked of untold.inDoubt) {
      const firstVersion = next;
      const found = await this.patiently(clusterId, () => this.parts.log.appendedBy(clusterId, asked.causationId, firstVersion));
      if (!found) continue;
      next = found.lastVersion + 1;
      untold.stored(asked, this.done(state, clusterId, found));
    }
    untold.endDoubt();
  }

  /** Decides on a state for those who are not told yet. */
  private async propose(clusterId: string, untold: Untold<Asked>, contention: Contention, state: ClusterState): Promise<Proposal> {
    const { clock } = this.parts;
    await this.settleDoubtful(clusterId, untold, state);
    await this.settleMet(clusterId, untold, contention, state);
    const beganAt = clock.monotonic();
    const { decided, others } = await this.decideEach(clusterId, untold, state);
    contention.decided(clock.monotonic() - beganAt);
    const { version } = state;
    const parts = decided.map(({ part }) => part);
    const append = parts.length === 0 ? undefined : { clusterId, expectedVersion: version, parts, ...guardOf(decided) };
    return { decided, others, append, version };
  }

  /**
   * What met a conflict may have met another attempt of the same request, in a process that was taken for dead; what is judged now has to contain it. So may what is carried out late have one before it: this is the process that was
   * taken for dead then. What comes after the state that is judged is met as a conflict.
   */
  private async settleMet(clusterId: string, untold: Untold<Asked>, { conflictedAt }: Contention, state: ClusterState): Promise<void> {
    for (const asked of untold.open) {
      if (asked.options.request === undefined) continue;
      const isLate = this.parts.clock.monotonic() - asked.since > MAY_BE_TAKEN_OVER_MS;
      if (conflictedAt === undefined && !isLate) continue;
      // All of the log once; from then on what has come since.
      const from = (isLate ? (asked.lookedTo ?? 0) : (conflictedAt ?? 0)) + 1;
      if (from > state.version) continue;
      const other = await this.patiently(clusterId, () => this.parts.log.causedBy(clusterId, asked.causationId, from));
      if (isLate) asked.lookedTo = state.version;
      if (other) untold.stored(asked, this.done(state, clusterId, other));
    }
  }

  /**
   * Decides one upon the other. What comes to nothing is settled at once where only the stored state was judged; otherwise when the rest is stored.
   *
   * @returns what is to be appended, and the results of the others
   */
  private async decideEach(
    clusterId: string,
    untold: Untold<Asked>,
    state: ClusterState,
  ): Promise<{ readonly decided: readonly Decided[]; readonly others: ReadonlyMap<Asked, ExecuteResult> }> {
    const now = new Date(this.parts.clock.timeOfDay()).toISOString();
    const decided: Decided[] = [];
    // What those before in the group made is not stored yet.
    const made: Record<string, HeldSecret> = {};
    const others = new Map<Asked, ExecuteResult>();
    // Folded only when somebody is judged on it: what stands in the log is folded by whoever reads it.
    let last: LastDecided = { before: state, events: [] };
    for (const asked of untold.open) {
      try {
        const judged = await this.after(last);
        last = { before: judged, events: [] };
        const commands = 'madeOf' in asked.commands ? await asked.commands.madeOf(judged) : asked.commands;
        const writing = commands.find(({ type }) => WRITES_PARAMETERS.has(type));
        const sealing = writing === undefined ? undefined : await this.sealingOf(clusterId, writing, asked.options, made);
        const decision = await decideAll(this.decide, commands, judged, { ...asked.options, now, sealing }, this.parts.slices?.());
        if (decision.ok) asked.options.refusing?.(judged);
        if (!decision.ok || decision.events.length === 0) {
          const result: ExecuteResult = decision.ok ? { ok: true, ...epochVersion(judged), events: [] } : decision;
          if (decided.length > 0 || !untold.settle(asked, result)) others.set(asked, result);
          continue;
        }
        await asked.options.admit?.(decision.events, judged);
        decided.push(decidedOn(clusterId, asked, judged, decision, this.parts.clock));
        for (const secret of decision.secrets) made[secret.id] = secret;
        last = decision.last;
      } catch (error) {
        untold.fail(asked, error);
      }
    }
    return { decided, others };
  }

  /** What whose work on the tables threw is told that; the others are tried again without it. @throws what is nobody's of the group */
  private failedBy(error: unknown, proposal: Proposal | undefined, untold: Untold<Asked>): AttemptOutcome {
    if (error instanceof HeldTooLong) return { type: 'held-too-long' };
    if (proposal === undefined) throw error;
    const { decided, version } = proposal;
    if (error instanceof OutcomeUnknown) return { type: 'unknown', expectedVersion: version };
    // What the database says of one it says of those after it, too, or of all of them.
    const isRefusal = error instanceof Unstorable || decided.some(({ thrown }) => thrown instanceof Unstorable);
    if (isRefusal && decided.length > 1 && untold.doubtedVersion === undefined) return { type: 'unstorable' };
    const guilty = isRefusal && decided.length === 1 ? decided : decided.filter(({ thrown }) => thrown !== undefined);
    if (!guilty.some(({ thrown = error }) => thrown === error)) throw error;
    for (const { asked, thrown = error } of guilty) untold.fail(asked, thrown);
    return { type: 'refused' };
  }

  private done(state: ClusterState, clusterId: string, { lastVersion: version, events }: Appended): ExecuteResult {
    this.parts.onAppended?.(clusterId, version);
    return { ok: true, ...epochVersion(state, version), events };
  }

  /** The state now; of a command in doubt the log is asked again and again, for the answer to be wrong would be worse than late. */
  private async stateAfter(clusterId: string, { doubtedVersion }: Untold<Asked>): Promise<ClusterState> {
    const load = () => this.parts.log.load(clusterId);
    return doubtedVersion === undefined ? load() : this.patiently(clusterId, load);
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

function storedBy(clusterId: string, { asked, judged, part }: Decided, events: readonly ClusterEvent[], occurredAt: string): StoredAppend {
  const { meta } = part;
  return { clusterId, judged, events, meta, goesOn: meta.correlationId !== asked.options.correlationId, occurredAt };
}

function guardOf([first]: readonly Decided[]): Pick<Append, 'guard'> {
  const guard = first?.asked.options.guard;
  return guard === undefined ? {} : { guard };
}

function decidedOn(
  clusterId: string,
  asked: Asked,
  judged: ClusterState,
  { events, secrets }: { readonly events: readonly ClusterEvent[]; readonly secrets: readonly NewSecret[] },
  clock: Clock,
): Decided {
  const { name, causationId, options } = asked;
  const { actor, answers, carriesCorrelation } = options;
  const carried = carriesCorrelation === true ? firstOf(events, (event) => correlationCarried(judged, event)) : undefined;
  const correlationId = carried ?? options.correlationId;
  const within = inTime(asked, clock, withSecrets(clusterId, asked, { events, secrets }, endingLives(clusterId, asked, judged, events)));
  const thrownBy = (error: unknown): never => {
    decided.thrown = error;
    throw error;
  };
  const decided: Decided = {
    asked,
    judged,
    part: {
      events,
      meta: { actor, command: name, correlationId, causationId },
      ...(answers === undefined
        ? {}
        : {
            answers: {
              ...answers,
              told: (first) => {
                try {
                  answers.told?.(first, events, judged);
                } catch (error) {
                  thrownBy(error);
                }
              },
            },
          }),
      ...(within === undefined ? {} : { within: (tables, appended) => within(tables, appended, judged).catch(thrownBy) }),
    },
  };
  return decided;
}

/** The first of what is made of things, in order, that is there. */
function firstOf<T, U>(things: readonly T[], of: (thing: T) => U | undefined): U | undefined {
  for (const thing of things) {
    const made = of(thing);
    if (made !== undefined) return made;
  }
  return undefined;
}

/** Nothing is written of what is carried out too late. */
function inTime({ options: { received } }: Asked, clock: Clock, within: ExecuteOptions['within']): ExecuteOptions['within'] {
  if (received === undefined) return within;
  return async (tables, appended, judged) => {
    await refuseLate(received, clock, appended, tables);
    await within?.(tables, appended, judged);
  };
}

/** What the events refer to is kept with them, or nothing of either; of a cluster that is no more nothing is. */
function withSecrets(
  clusterId: string,
  { options: { actor } }: Asked,
  { events, secrets }: { readonly events: readonly ClusterEvent[]; readonly secrets: readonly NewSecret[] },
  within: ExecuteOptions['within'],
): ExecuteOptions['within'] {
  const isDeleted = events.some(({ type }) => type === 'ClusterDeleted');
  if (secrets.length === 0 && !isDeleted) return within;
  return async (tables, appended, judged) => {
    if (secrets.length > 0) await tables.secrets.keep(clusterId, secrets, actor);
    if (isDeleted) await tables.secrets.eraseAll(clusterId, actor);
    await within?.(tables, appended, judged);
  };
}

/**
 * Where others end a node's life its lease ends in the same transaction, whoever asks for it: what a poll rests on may have been read before. With a container its agent's token ends: whoever has kept that would
 * pass for the node until the container is started the next time.
 */
function endingLives(
  clusterId: string,
  { options: { within, actor, correlationId } }: Asked,
  judged: ClusterState,
  events: readonly ClusterEvent[],
): ExecuteOptions['within'] {
  const ended = events.flatMap((event) => livesEndedBy(judged, event));
  const containers = events.flatMap((event) => containersEndedBy(judged, event) ?? []);
  if (ended.length === 0 && containers.length === 0) return within;
  return async (tables, appended) => {
    for (const { name, incarnation } of ended) await tables.leases.end(clusterId, name, incarnation);
    await within?.(tables, appended, judged);
    for (const each of containers) await tables.containerTokens.withdraw(clusterId, each, { actor, correlationId });
  };
}
