import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { HttpProblem } from '../http/problem.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { ReasonBody } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

/** Commands on what the cluster is doing. */
@ApiTags('transitions')
@Controller('v1/clusters/:cluster/transitions/:number/commands')
export class TransitionCommandsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @Post('abort')
  @Write({
    operationId: 'abortTransition',
    summary: 'Begin nothing more of the transition that runs, and plan anew',
    description:
      'What is under way is waited for; then the cluster plans again from what is so by then. It plans the same again unless something else was changed. Refused for one that is not running.',
    body: { type: ReasonBody, required: false },
  })
  async abort(
    @Param('cluster') cluster: string,
    @Param('number') number: string,
    @Query() query: WriteQuery,
    @Body() { reason }: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    if (!/^[1-9]\d{0,8}$/.test(number)) {
      throw new HttpProblem(404, 'transition-not-found', `the cluster has no transition ${number.slice(0, 20)}`);
    }
    const { actor } = asking.operator;
    const why = `${actor} asked for it${reason === undefined ? '' : `: ${reason}`}`;
    return this.writes.write({
      ...{ clusterId, query, ...asking, command: { type: 'abort-transition', number: Number(number), reason: why } },
      places: { '/number': { parameter: 'number' } },
    });
  }
}
