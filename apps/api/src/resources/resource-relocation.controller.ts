import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { epochVersion, type ClusterCommand, type ClusterState, type EpochVersion } from '@systole/cluster';
import { ClusterCommands } from '@systole/control-plane';
import { ClusterStates } from '@systole/read-models';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { etagOf, expectedVersions } from '../http/etag.js';
import { correlationId } from '../http/request-context.js';
import { attemptOf } from '../idempotency/idempotency.interceptor.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, shownEvent, type AskedWrite } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { DEFAULT_WAIT_S, Settling } from '../writes/settling.js';
import { unwantedOn } from '../writes/unwanted-write.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { Write } from '../writes/write.js';

/** Who asked may go meanwhile: what has begun to move goes on. */
const STAYS = new AbortController().signal;
const HOW =
  'For a time their stickiness counts for nothing, by sets of meta-attributes that end by themselves: with the wait that this always does, for `timeout` seconds (60 when left out), whatever becomes of the caller or the server. A dry run shows what would move; where nothing would, nothing is written.';

/** Moving resources to where they would be if they ran nowhere. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster')
export class ResourceRelocationController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
    private readonly commands: ClusterCommands,
    private readonly settling: Settling,
    private readonly states: ClusterStates,
    private readonly clock: ClockWatch,
    private readonly preview: SchedulePreview,
  ) {}

  @Post('resources/:resource/commands/relocate')
  @Write({
    operationId: 'relocateResource',
    summary: 'Move a resource to where it would be if it ran nowhere',
    description: HOW,
    body: { type: ReasonBody, required: false },
  })
  async relocate(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<WriteResultDto> {
    return this.#relocate({ cluster, resource, body }, { query, ...asking }, caller);
  }

  @Post('commands/relocate')
  @Write({
    operationId: 'relocateResources',
    summary: 'Move all resources to where they would be if they ran nowhere',
    description: HOW,
    body: { type: ReasonBody, required: false },
  })
  async relocateAll(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<WriteResultDto> {
    return this.#relocate({ cluster, body }, { query, ...asking }, caller);
  }

  /** Where they have gone by the end of it they stay: their stickiness counts there again. */
  async #relocate(
    { cluster, resource, body }: { readonly cluster: string; readonly resource?: string; readonly body: ReasonBody },
    { query, ...asking }: AskedWrite,
    caller: Caller,
  ): Promise<WriteResultDto> {
    const { operator, request, response } = asking;
    const { id: clusterId } = await this.lookup.find(cluster);
    const { timeout: seconds = DEFAULT_WAIT_S, dryRun } = query;
    const of = resource === undefined ? {} : { resource };
    const now = Math.floor(this.clock.now() / 1_000);
    const command: ClusterCommand = { type: 'begin-relocation', ...of, now, seconds, ...because(body) };
    const idle = await this.#idle({ clusterId, command, now }, { operator, request }, caller);
    if (idle !== undefined) {
      response.set('etag', etagOf(idle));
      const { version, epoch } = idle;
      return { ...{ dryRun: dryRun === true, version, ...(epoch === undefined ? {} : { epoch }) }, events: [], changes: [] };
    }
    const before = await this.states.load(clusterId);
    const begun = await this.writes.write({
      ...{ clusterId, query: dryRun === undefined ? {} : { dryRun }, ...asking },
      command,
      places: { '/resource': { parameter: 'resource' } },
    });
    if (begun.dryRun) return begun;
    const waiting = { owner: caller.owner, gone: STAYS };
    const awaited = { clusterId, since: begun.version - begun.events.length, before };
    const deadline = performance.now() + seconds * 1_000;
    await this.settling.wait(awaited, seconds * 1_000, waiting);
    const by = { actor: operator.actor, correlationId: correlationId(request) };
    const ended = await this.commands.execute(clusterId, { type: 'end-relocation', ...of }, by);
    // Deleted meanwhile, or it can't be said: it ends by itself then.
    const last = ended.ok ? ended : { version: begun.version, epoch: begun.epoch, events: [] };
    if (ended.ok) response.set('etag', etagOf(ended));
    // What has moved is to stay: that is a plan of its own, and only after it is the cluster at rest.
    const leftMs = Math.max(0, deadline - performance.now());
    const settled = await this.settling.afterWrite(awaited, { version: last.version, log: request.log }, leftMs, caller);
    const { events, changes, warnings } = begun;
    return {
      ...{ dryRun: false, version: last.version, ...(last.epoch === undefined ? {} : { epoch: last.epoch }) },
      ...{ events: [...events, ...last.events.map(shownEvent)], changes, ...(warnings === undefined ? {} : { warnings }), settled },
    };
  }

  /**
   * At which version nothing would move; undefined where something would, where it is refused, and for a repeated request, which may have moved it all before.
   */
  async #idle(
    { clusterId, command, now }: { readonly clusterId: string; readonly command: ClusterCommand; readonly now: number },
    { operator, request }: Pick<AskedWrite, 'operator' | 'request'>,
    caller: Caller,
  ): Promise<EpochVersion | undefined> {
    if (attemptOf(request)?.repeated === true) return undefined;
    const expected = expectedVersions(request.headers['if-match']);
    const tried = await this.commands.preview(clusterId, command, {
      ...{ actor: operator.actor, seesSecrets: operator.seesSecrets, correlationId: correlationId(request) },
      now: new Date(now * 1_000).toISOString(),
      ...(expected === undefined ? {} : { expected }),
    });
    if (!tried.ok || tried.after.existence !== 'active') return undefined;
    unwantedOn(request, command)?.(tried.before);
    const placed = async ({ cib }: ClusterState): Promise<string> =>
      JSON.stringify((await this.preview.past({ clusterId, cib, now }, caller)).resources);
    const [stays, goes] = [await placed(tried.before), await placed(tried.after)];
    return stays === goes ? epochVersion(tried.before) : undefined;
  }
}
