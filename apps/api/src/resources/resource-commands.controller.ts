import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { TextField, WholeField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

export class RefreshBody extends ReasonBody {
  @TextField({ description: 'On this node only; on every node when left out.', max: 255, optional: true })
  readonly node?: string;
}

export class CleanUpBody extends RefreshBody {
  @TextField({ description: 'What failed in this operation only; its other failures stay.', example: 'monitor', max: 64, optional: true })
  readonly operation?: string;

  @WholeField({ description: 'Of that operation, at this interval only, ms.', optional: true })
  readonly intervalMs?: number;
}

export class RenameResourceBody extends ReasonBody {
  @TextField({ description: 'The new id.', max: 255 })
  readonly to!: string;
}

/** Commands on a resource. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/resources/:resource/commands')
export class ResourceCommandsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @Post('cleanup')
  @Write({
    operationId: 'cleanUpResource',
    summary: "Forget a resource's failures, and its history where it failed, so that it is probed again",
    description: 'A group, clone or bundle stands for all its primitives.',
  })
  async cleanUp(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: CleanUpBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { operation, intervalMs } = body;
    const which = { ...(operation === undefined ? {} : { operation }), ...(intervalMs === undefined ? {} : { intervalMs }) };
    const command: ClusterCommand = { type: 'clean-up-resource', resource, ...nodeIn(body), ...which, ...because(body) };
    return this.#forget(cluster, command, { query, ...asking });
  }

  @Post('refresh')
  @Write({
    operationId: 'refreshResource',
    summary: 'Forget all that is known of a resource, failed or not, so that it is probed again',
    description: 'A group, clone or bundle stands for all its primitives.',
  })
  async refresh(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: RefreshBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const command: ClusterCommand = { type: 'refresh-resource', resource, ...nodeIn(body), ...because(body) };
    return this.#forget(cluster, command, { query, ...asking });
  }

  async #forget(cluster: string, command: ClusterCommand, write: AskedWrite): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...write, clusterId, command, places: { '/resource': { parameter: 'resource' } } });
  }

  @Post('rename')
  @Write({
    operationId: 'renameResource',
    summary: 'Give a resource another id',
    description:
      'Whatever refers to it (constraints, sets, tags, fencing levels, …) refers to the new id, in one event. What is known by the id, a primitive or a bundle, is refused (`still-active`) unless it is stopped: disable it first. What was known of it is forgotten, so the new one is probed. Ids of its sets and operations stay.',
    body: { type: RenameResourceBody },
  })
  async rename(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: RenameResourceBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const command: ClusterCommand = { type: 'rename-resource', resource, to: body.to, ...because(body) };
    return this.writes.write({ ...asking, query, clusterId, command, places: { '/resource': { parameter: 'resource' } } });
  }
}

function nodeIn({ node }: RefreshBody): Pick<RefreshBody, 'node'> {
  return node === undefined ? {} : { node };
}
