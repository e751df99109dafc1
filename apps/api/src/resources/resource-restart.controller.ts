import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClusterStates } from '@systole/read-models';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { etagOf } from '../http/etag.js';
import { correlationId } from '../http/request-context.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, shownEvent } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { DEFAULT_WAIT_S, Settling } from '../writes/settling.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { ResourceRestart } from './resource-restart.js';
import { ClockWatch } from '../watches/clock-watch.js';

/** Stopping a resource and starting it again. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/resources/:resource/commands')
export class ResourceRestartController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
    private readonly restart: ResourceRestart,
    private readonly settling: Settling,
    private readonly states: ClusterStates,
    private readonly clock: ClockWatch,
  ) {}

  @Post('restart')
  @Write({
    operationId: 'restartResource',
    summary: 'Stop a resource and start it again',
    description:
      'Answers when it was stopped and may start again, after `timeout` seconds (60 when left out) at the latest; with `wait=settled` when the cluster has settled after that. It is stopped by a set of meta-attributes that ends by itself after that time: what its `target-role` was holds again whatever becomes of the caller or the server. A dry run shows the stop.',
    body: { type: ReasonBody, required: false },
  })
  async restartResource(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<WriteResultDto> {
    const { operator, request, response } = asking;
    const { id: clusterId } = await this.lookup.find(cluster);
    const { wait, timeout: seconds = DEFAULT_WAIT_S, ...rest } = query;
    const before = await this.states.load(clusterId);
    const begun = await this.writes.write({
      ...{ clusterId, query: rest, ...asking },
      command: { type: 'begin-restart', resource, now: Math.floor(this.clock.now() / 1_000), seconds, ...because(body) },
      places: { '/resource': { parameter: 'resource' } },
    });
    if (begun.dryRun) return begun;
    const by = { actor: operator.actor, correlationId: correlationId(request) };
    const { stopped, ended } = await this.restart.finish(clusterId, resource, seconds * 1_000, by);
    const slow = `${resource} was not stopped within ${seconds} s, and may go on: systole explain says what it waits for`;
    const warnings = [...(begun.warnings ?? []), ...(stopped ? [] : [slow])];
    // Deleted meanwhile, or it can't be said: it ends by itself then.
    const last = ended.ok ? ended : { version: begun.version, epoch: begun.epoch, events: [] };
    if (ended.ok) response.set('etag', etagOf(ended));
    const { events: first, changes, version } = begun;
    const restarted = {
      ...{ dryRun: false, version: last.version, ...(last.epoch === undefined ? {} : { epoch: last.epoch }) },
      ...{ events: [...first, ...last.events.map(shownEvent)], changes },
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    if (wait === undefined) return restarted;
    return {
      ...restarted,
      settled: await this.settling.wait({ clusterId, since: version - first.length, before, toRun: [resource] }, seconds * 1_000, caller),
    };
  }
}
