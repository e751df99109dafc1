import { receivedAs } from './received-request.js';
import { Injectable } from '@nestjs/common';
import { findByAndBy, type KnownAgents, type XmlElement } from '@systole/cib';
import {
  changesWritten,
  commandWarnings,
  epochVersion,
  mayWarn,
  meantBy,
  type ClusterCommand,
  type ClusterEvent,
  type ClusterState,
  type DocumentUpgrade,
  type EpochVersion,
  type ResourceMode,
} from '@systole/cluster';
import { ClusterCommands, CONFIGURED_WITHIN_MS, type ExecuteOptions, type ExecuteResult } from '@systole/control-plane';
import { ClusterStates, inSlices } from '@systole/read-models';
import type { Caller } from '../computing/caller.js';
import { rememberedReading } from '../computing/remembered-readings.js';
import { NodeAgents } from '../metadata/node-agents.js';
import { findingsAfter, findingsFound, NONE_FURTHER, type FurtherFindings } from '../findings/shown-findings.js';
import { HttpProblem } from '../http/problem.js';
import { etagOf, expectedVersions } from '../http/etag.js';
import type { AskedBy } from './asking.js';
import { unwantedOn } from './unwanted-write.js';
import { rejectionProblem, type CommandPlaces } from '../http/rejection-problem.js';
import { clientGone, correlationId } from '../http/request-context.js';
import { attemptOf } from '../idempotency/idempotency.interceptor.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { ErasedReferences } from '../reads/erased-references.js';
import { OthersAffected, type SafeChange } from './others-affected.js';
import { isLarge, LargeCommands } from './large-commands.js';
import { DEFAULT_WAIT_S, Settling } from './settling.js';
import { shownUpgrade } from './upgrade.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';
import type { NewEventDto, WriteQuery, WriteResultDto } from './write.dto.js';

/** An operator's request to change a cluster, with all that HTTP says about it. */
export interface WriteRequest extends AskedBy {
  readonly clusterId: string;
  readonly command: ClusterCommand;
  readonly query: WriteQuery;
  /** Where fields of the command come from, when not from the body: by the command's JSON pointer. */
  readonly places?: CommandPlaces;
  readonly within?: ExecuteOptions['within'];
  /** Refused when anything but what is meant would be hurt. */
  readonly safe?: SafeChange;
}

/** How often a change is weighed anew because the configuration was changed meanwhile. */
const WEIGHINGS = 5;

/** What of a write every handler is given alike. */
export type AskedWrite = AskedBy & Pick<WriteRequest, 'query'>;

/** The one way in which operators change clusters: `If-Match`, dry run, waiting and ETag mean the same everywhere. */
@Injectable()
export class ClusterWrites {
  constructor(
    private readonly commands: ClusterCommands,
    private readonly preview: SchedulePreview,
    private readonly settling: Settling,
    private readonly states: ClusterStates,
    private readonly large: LargeCommands,
    private readonly others: OthersAffected,
    private readonly agents: NodeAgents,
    private readonly clock: ClockWatch,
    private readonly erased: ErasedReferences,
  ) {}

  /**
   * Reads a large document ahead of the line of the cluster's commands, where those of agents wait too.
   *
   * @returns what is changed in the document, large or not, to bring it to the current schema
   * @throws {HttpProblem} for what is refused
   */
  async judgeLarge(
    { clusterId, command, places }: Pick<WriteRequest, 'clusterId' | 'command' | 'places'>,
    expected: readonly EpochVersion[] | undefined,
    caller: Caller,
  ): Promise<DocumentUpgrade> {
    if (!isLarge(command)) return documentUpgrade(command);
    const options = expected === undefined ? {} : { expected };
    const decision = await this.large.judge(command, await this.states.load(clusterId), options, caller);
    if (!decision.ok) throw rejectionProblem(decision.rejection, places);
    return decision.upgrade ?? NO_UPGRADE;
  }

  /** @throws {HttpProblem} for what the cluster refuses */
  async write(asked: WriteRequest): Promise<Pick<WriteResultDto, keyof WriteResultDto>> {
    const received = {
      ...receivedAs(asked.request, this.clock),
      ...(carriesConfiguration(asked.command) ? { withinMs: CONFIGURED_WITHIN_MS } : {}),
    };
    const write = { ...asked, command: await this.#withAgents(asked) };
    const { query, request, response } = write;
    const expected = expectedVersions(request.headers['if-match']);
    const unwanted = unwantedOn(request, write.command);
    const gone = clientGone(response);
    const caller: Caller = { owner: write.operator.tokenId, gone };
    const attempt = attemptOf(request);
    // What an earlier attempt has done is no longer at the version that it asked for: the command finds out.
    const upgrade = shownUpgrade(await this.judgeLarge(write, attempt?.repeated === true ? undefined : expected, caller));
    if (query.dryRun === true) return this.#dryRun(write, { expected, unwanted }, caller, upgrade);
    let judged: ClusterState | undefined;
    const options: ExecuteOptions = {
      admit: (_, state) => {
        // It may have been there for long before this process read it: who has gone may have asked for something newer.
        if (gone.aborted) return Promise.reject(new HttpProblem(503, 'caller-gone', 'the caller has gone: nothing was written'));
        judged = state;
        return Promise.resolve();
      },
      actor: write.operator.actor,
      seesSecrets: write.operator.seesSecrets,
      correlationId: correlationId(request),
      received,
      ...(expected === undefined ? {} : { expected }),
      ...(unwanted === undefined ? {} : { refusing: unwanted }),
      ...(write.within === undefined ? {} : { within: write.within }),
      ...(attempt === undefined ? {} : { request: attempt }),
    };
    const before = query.wait === undefined ? undefined : await this.states.load(write.clusterId);
    const result =
      write.safe === undefined
        ? await this.commands.execute(write.clusterId, write.command, options)
        : await this.#weighed(write, options, write.safe, caller);
    if (!result.ok) throw rejectionProblem(result.rejection, write.places);
    request.written = true;
    const { version, events } = result;
    response.set('etag', etagOf(result));
    const done = {
      ...{ dryRun: false, version, ...epochIn(result), events: events.map(shownEvent), changes: changesWritten(events, judged) },
      ...(await this.#saidAfter(write, judged)),
      ...upgrade,
    };
    if (query.wait === undefined || before === undefined) return done;
    const since = version - events.length;
    const awaited = { clusterId: write.clusterId, since, before, toRun: meantToRun(write.command, events, before) };
    const timeoutMs = (query.timeout ?? DEFAULT_WAIT_S) * 1_000;
    return { ...done, settled: await this.settling.afterWrite(awaited, { version, log: request.log }, timeoutMs, caller) };
  }

  /** What nodes have told of their resource agents counts as it is now. Without it nothing is claimed of agents, and nobody is kept from a change. */
  async #withAgents({ clusterId, command }: WriteRequest): Promise<ClusterCommand> {
    if (!mayNameAgents(command)) return command;
    const agents = await this.agents.known(clusterId);
    return agents === undefined ? command : { ...command, agents };
  }

  /**
   * The write is done: that nothing can be said about it now makes it no failure.
   *
   * @param before what it was decided on; undefined where it changed nothing, so that no finding is new
   */
  async #saidAfter(
    { clusterId, command }: WriteRequest,
    before: ClusterState | undefined,
  ): Promise<Pick<WriteResultDto, 'warnings' | 'findings'>> {
    const carries = carriesConfiguration(command);
    const after = carries || mayWarn(command) ? await this.states.load(clusterId).catch(() => undefined) : undefined;
    if (after === undefined) return {};
    const warnings = mayWarn(command) ? warningsIn(command, after) : {};
    if (!carries) return warnings;
    const { cib } = before ?? after;
    const further = await this.erased.findingsAfter(clusterId, after.cib, cib).catch(() => NONE_FURTHER);
    return { ...warnings, ...(await findingsFoundAfter(after.cib, cib, command, further)) };
  }

  async #findingsBetween(
    { clusterId, command }: Pick<WriteRequest, 'clusterId' | 'command'>,
    before: ClusterState,
    after: ClusterState,
  ): Promise<Pick<WriteResultDto, 'findings'>> {
    const further = await this.erased.findingsAfter(clusterId, after.cib, before.cib);
    return findingsFoundAfter(after.cib, before.cib, command, further);
  }

  /** Executes what was weighed on the configuration that it was weighed on; that another one came meanwhile is no fault of the caller's. */
  async #weighed(write: WriteRequest, options: ExecuteOptions, safe: SafeChange, caller: Caller): Promise<ExecuteResult> {
    const { clusterId, command, operator } = write;
    const { request } = options;
    // What it has done already can't be weighed any more, nor is it at the version that it asked for.
    const earlier = request?.repeated === true ? await this.commands.earlier(clusterId, request.id) : undefined;
    if (earlier !== undefined) return earlier;
    for (let weighing = 1; ; weighing++) {
      const now = new Date(this.clock.now());
      const result = await this.commands.preview(clusterId, command, { ...options, actor: operator.actor, now: now.toISOString() });
      if (!result.ok) return result;
      const { before, after } = result;
      await this.others.refuse({ clusterId, before, after, now: Math.floor(now.getTime() / 1_000) }, safe, caller);
      const done = await this.commands.execute(clusterId, command, { ...options, expected: [epochVersion(before)] });
      if (done.ok || done.rejection.code !== 'version-mismatch' || weighing === WEIGHINGS) return done;
    }
  }

  async #dryRun(
    write: WriteRequest,
    { expected, unwanted }: { readonly expected: readonly EpochVersion[] | undefined; readonly unwanted: ExecuteOptions['refusing'] },
    caller: Caller,
    upgrade: Pick<WriteResultDto, 'upgrade'>,
  ): Promise<WriteResultDto> {
    const now = new Date(this.clock.now());
    const result = await this.commands.preview(write.clusterId, write.command, {
      actor: write.operator.actor,
      seesSecrets: write.operator.seesSecrets,
      correlationId: correlationId(write.request),
      now: now.toISOString(),
      ...(expected === undefined ? {} : { expected }),
    });
    if (!result.ok) throw rejectionProblem(result.rejection, write.places);
    const { version, events, before, after } = result;
    unwanted?.(before);
    write.response.set('etag', etagOf(result));
    const computed = {
      ...{ dryRun: true, version, ...epochIn(result), events: events.map(shownEvent), changes: changesWritten(events, before) },
      ...warningsIn(write.command, after),
      ...(carriesConfiguration(write.command) ? await this.#findingsBetween(write, before, after) : {}),
      ...upgrade,
    };
    if (after.existence !== 'active') return computed;
    const of = { clusterId: write.clusterId, cib: after.cib, now: Math.floor(now.getTime() / 1_000) };
    if (write.safe !== undefined) await this.others.refuse({ ...of, before, after }, write.safe, caller);
    const forgotten = events.flatMap(({ type, data }) => (type === 'HistoryDeleted' ? [data] : []));
    return { ...computed, schedule: await this.preview.schedule(of, caller, forgotten) };
  }
}

/** What of a configuration does not do what it seems to say; found bit by bit, as it can have thousands of parts. */
async function findingsFoundAfter(
  cib: XmlElement,
  before: XmlElement,
  command: ClusterCommand,
  further: FurtherFindings,
): Promise<Pick<WriteResultDto, 'findings'>> {
  await inSlices(findByAndBy(cib));
  return findingsFound(findingsAfter(cib, before, agentsIn(command), further));
}

function warningsIn(command: ClusterCommand, after: ClusterState): Pick<WriteResultDto, 'warnings'> {
  const warnings = commandWarnings(command, after);
  return warnings.length === 0 ? {} : { warnings };
}

const WRITTEN_BY_SOMEBODY: ReadonlySet<ClusterCommand['type']> = new Set([
  'replace-configuration',
  'edit-configuration',
  'create-cluster',
  'set-section-value',
  'set-resource-value',
  'change-document',
]);

type NamesAgents = Extract<
  ClusterCommand,
  { readonly type: 'edit-configuration' | 'replace-configuration' | 'set-resource-value' | 'change-document' }
>;

/** Whether a command may write of resource agents. */
function mayNameAgents(command: ClusterCommand): command is NamesAgents {
  return (
    command.type === 'edit-configuration' ||
    command.type === 'replace-configuration' ||
    command.type === 'set-resource-value' ||
    command.type === 'change-document'
  );
}

/** Whether a command brings in what somebody wrote. */
function carriesConfiguration({ type }: ClusterCommand): boolean {
  return WRITTEN_BY_SOMEBODY.has(type);
}

function agentsIn(command: ClusterCommand): KnownAgents | undefined {
  return 'agents' in command ? command.agents : undefined;
}

const NO_UPGRADE: DocumentUpgrade = { count: 0, changes: [] };

/** Of a document that is small enough to be read here; one that can't be read is refused when the command is decided. */
function documentUpgrade(command: ClusterCommand): DocumentUpgrade {
  if (command.type !== 'replace-configuration' && command.type !== 'create-cluster') return NO_UPGRADE;
  const reading = command.cib === undefined ? undefined : rememberedReading(command.cib);
  return reading?.ok === true ? reading.upgrade : NO_UPGRADE;
}

function epochIn({ epoch }: EpochVersion): Pick<EpochVersion, 'epoch'> {
  return epoch === undefined ? {} : { epoch };
}

/** The changes of the configuration stand beside the events, once. */
export function shownEvent(event: ClusterEvent): NewEventDto {
  if (event.type !== 'ConfigurationChanged') return event;
  const { command, arguments: given, reason } = event.data;
  return { type: event.type, data: { command, arguments: given, ...(reason === undefined ? {} : { reason }) } };
}

const MODES_THAT_RUN: ReadonlySet<ResourceMode> = new Set(['enable', 'promote', 'manage', 'unmaintain']);
const RESOURCES: ReadonlySet<string> = new Set(['primitive', 'group', 'clone', 'bundle']);

/** Ids of the resources that whoever gave a command wants to run. */
function meantToRun(command: ClusterCommand, events: readonly ClusterEvent[], state: ClusterState): readonly string[] {
  switch (command.type) {
    case 'set-resource-mode':
      return MODES_THAT_RUN.has(command.mode) ? [command.resource, ...(command.also ?? [])].flatMap((name) => meantBy(state, name)) : [];
    case 'move-resource':
    case 'clear-resource':
      return [command.resource];
    case 'edit-configuration':
      return changesWritten(events, undefined).flatMap(({ kind, id, before, after }) =>
        RESOURCES.has(kind) && before === undefined && after !== undefined ? [id] : [],
      );
    default:
      return [];
  }
}
