import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ResourceMode } from '@systole/cluster';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { TextListField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { safely, SafeWriteQuery, type SafeQuery } from '../writes/safe-query.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

/** As many as one command may be about. */
const MOST_RESOURCES = 1_000;

export class ModeBody extends ReasonBody {
  @TextListField({
    description: 'Ids of further resources that are meant: all of them, in one event, or none.',
    max: MOST_RESOURCES,
    optional: true,
  })
  readonly also?: readonly string[];
}

/** What a resource is to be: enabled or not, promoted or not, managed or not. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/resources/:resource/commands')
export class ResourceModesController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @Post('enable')
  @Write({
    operationId: 'enableResource',
    summary: 'Let a resource run',
    description:
      'Takes its `target-role` away, or says `Started` where a default says otherwise. Refused for a part of what is disabled as a whole.',
    body: { type: ModeBody, required: false },
  })
  async enable(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('enable', { cluster, resource, body }, { query, ...asking });
  }

  @Post('disable')
  @Write({
    operationId: 'disableResource',
    summary: 'Stop a resource, and keep it stopped',
    description:
      'Its `target-role` becomes `Stopped`; for what stands directly in a clone or bundle, that of the clone or bundle. With `safe=true` refused when anything else would be stopped, moved or demoted.',
    body: { type: ModeBody, required: false },
  })
  async disable(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() { safe, othersMayMove, ...query }: SafeWriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('disable', { cluster, resource, body, safe: { safe, othersMayMove } }, { query, ...asking });
  }

  @Post('promote')
  @Write({
    operationId: 'promoteResource',
    summary: 'Promote as many instances of a promotable clone as it may have',
    description: 'Its `target-role` becomes `Promoted`. `enable` takes that away again.',
    body: { type: ModeBody, required: false },
  })
  async promote(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('promote', { cluster, resource, body }, { query, ...asking });
  }

  @Post('demote')
  @Write({
    operationId: 'demoteResource',
    summary: 'Keep all instances of a promotable clone unpromoted',
    description: 'Its `target-role` becomes `Unpromoted`. `enable` takes that away again.',
    body: { type: ModeBody, required: false },
  })
  async demote(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('demote', { cluster, resource, body }, { query, ...asking });
  }

  @Post('manage')
  @Write({
    operationId: 'manageResource',
    summary: 'Start and stop a resource again as the cluster sees fit',
    description: 'Takes `is-managed` away, also from what stands in it, or says `true` where a default says otherwise.',
    body: { type: ModeBody, required: false },
  })
  async manage(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('manage', { cluster, resource, body }, { query, ...asking });
  }

  @Post('unmanage')
  @Write({
    operationId: 'unmanageResource',
    summary: 'Leave a resource as it is, but go on monitoring it',
    description: 'Its `is-managed` becomes `false`.',
    body: { type: ModeBody, required: false },
  })
  async unmanage(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('unmanage', { cluster, resource, body }, { query, ...asking });
  }

  @Post('maintenance')
  @Write({
    operationId: 'maintainResource',
    summary: 'Leave a resource as it is, and do not monitor it',
    description: 'Its `maintenance` becomes `true`.',
    body: { type: ModeBody, required: false },
  })
  async maintain(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('maintain', { cluster, resource, body }, { query, ...asking });
  }

  @Post('unmaintenance')
  @Write({
    operationId: 'unmaintainResource',
    summary: 'Look after a resource again',
    description: 'Takes `maintenance` away, also from what stands in it, or says `false` where a default says otherwise.',
    body: { type: ModeBody, required: false },
  })
  async unmaintain(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ModeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#set('unmaintain', { cluster, resource, body }, { query, ...asking });
  }

  async #set(
    mode: ResourceMode,
    { cluster, resource, body, safe }: { cluster: string; resource: string; body: ModeBody; safe?: SafeQuery | undefined },
    write: AskedWrite,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { also } = body;
    return this.writes.write({
      ...write,
      clusterId,
      command: { type: 'set-resource-mode', resource, mode, ...(also === undefined ? {} : { also }), ...because(body) },
      places: { '/resource': { parameter: 'resource' } },
      ...safely([resource, ...(also ?? [])], safe),
    });
  }
}
