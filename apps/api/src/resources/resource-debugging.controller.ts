import { randomUUID } from 'node:crypto';
import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DEBUG_OPERATIONS, type DebugOperation } from '@systole/cluster';
import { ClusterStates } from '@systole/read-models';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { ChoiceField, TextField, WholeField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { DEFAULT_WAIT_S, Settling } from '../writes/settling.js';
import { TryAndSettleQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { DebugOutcome } from '../writes/debug-outcome.js';

export class DebugBody extends ReasonBody {
  @ChoiceField({ of: DEBUG_OPERATIONS, description: 'What the resource agent is called with.' })
  readonly operation!: DebugOperation;

  @TextField({ description: 'The node whose agent does it.', max: 255 })
  readonly node!: string;

  @WholeField({ description: 'After which the agent ends it, ms; as configured when left out.', min: 1, max: 3_600_000, optional: true })
  readonly timeoutMs?: number;
}

/** Single operations of a resource, carried out on a node to see what its agent says. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/resources/:resource/commands')
export class ResourceDebuggingController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
    private readonly outcome: DebugOutcome,
    private readonly settling: Settling,
    private readonly states: ClusterStates,
  ) {}

  @Post('debug')
  @Write({
    operationId: 'debugResource',
    summary: 'Have one operation of a resource carried out on a node, and see what its agent says',
    description:
      'Of a primitive, outside of any plan; recorded with who and why. The answer has what came of it (`tried`), or says that it goes on: then the event DebugOperationEnded will say. `start` and `promote` are refused (`still-managed`, `still-active`, `transition-running`) unless nobody else may start it: it is not managed or the cluster is in maintenance, nothing is under way, and it is known to run nowhere else. After all but `monitor` and `validate-all` the resource is probed there, so that the cluster knows what is so. At most once: an agent that crashes meanwhile never repeats it. A dry run says whether it would be refused.',
    body: { type: DebugBody },
  })
  async debug(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() { wait, dryRun, timeout }: TryAndSettleQuery,
    @Body() body: DebugBody,
    @Asking() asking: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { operation, node, timeoutMs } = body;
    const before = wait === undefined ? undefined : await this.states.load(clusterId);
    const begunAt = performance.now();
    const asked = await this.writes.write({
      ...{ ...asking, query: dryRun === undefined ? {} : { dryRun }, clusterId },
      command: {
        ...{ type: 'request-debug-operation', debugId: randomUUID(), resource, node, operation },
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...because(body),
      },
      places: { '/resource': { parameter: 'resource' } },
    });
    const answered = await this.outcome.answered(clusterId, asked, timeout, caller.gone);
    if (before === undefined || answered.tried === undefined || answered.tried.state === 'running') return answered;
    const { version, events } = asked;
    const spentMs = timeout === undefined ? 0 : performance.now() - begunAt;
    const leftMs = (timeout ?? DEFAULT_WAIT_S) * 1_000 - spentMs;
    const awaited = { clusterId, since: version - events.length, before };
    return { ...answered, settled: await this.settling.afterWrite(awaited, { version, log: asking.request.log }, leftMs, caller) };
  }
}
