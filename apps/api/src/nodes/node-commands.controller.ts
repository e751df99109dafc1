import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import type { Request, Response } from 'express';
import type { OperatorPrincipal } from '@systole/access';
import { ClusterLookup } from '../clusters/cluster-lookup.js';
import { TextField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { WriteCommand } from '../writes/write-command.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';

export class ConfirmDownBody {
  @TextField({ description: 'How it is known; kept with the event.', max: 1_000, optional: true })
  readonly reason?: string;
}

/** Commands on a node. */
@ApiTags('nodes')
@Controller('v1/clusters/:cluster/nodes/:node/commands')
export class NodeCommandsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @WriteCommand(
    'standby',
    {
      operationId: 'standbyNode',
      summary: 'Move everything off a node, and keep it off',
      description: 'As the permanent attribute `standby`: it stays so until somebody takes it back, also after a reboot.',
    },
    [404, 412],
    ApiBody({ type: ReasonBody, required: false }),
  )
  async standby(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-standby', node, standby: true, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'unstandby',
    {
      operationId: 'unstandbyNode',
      summary: 'Let a node run resources again',
      description: 'Takes the permanent attribute `standby` back.',
    },
    [404, 412],
    ApiBody({ type: ReasonBody, required: false }),
  )
  async unstandby(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-standby', node, standby: false, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'maintenance',
    {
      operationId: 'maintainNode',
      summary: 'Leave everything on a node as it is',
      description: 'As the permanent attribute `maintenance`: nothing is started, stopped, or monitored there.',
    },
    [404, 409, 412, 422],
    ApiBody({ type: ReasonBody, required: false }),
  )
  async maintenance(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-maintenance', node, maintenance: true, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'unmaintenance',
    {
      operationId: 'unmaintainNode',
      summary: 'Manage what runs on a node again',
      description: 'What runs there is probed and managed again.',
    },
    [404, 409, 412, 422],
    ApiBody({ type: ReasonBody, required: false }),
  )
  async unmaintenance(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-maintenance', node, maintenance: false, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'fence',
    {
      operationId: 'fenceNode',
      summary: 'Fence a node',
      description:
        'The scheduler plans its fencing with the devices of the configuration; no limit holds it. Refused for a node that is known to be off, and where fencing is switched off.',
    },
    [404, 409, 412, 422],
    ApiBody({ type: ReasonBody, required: false }),
  )
  async fence(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'fence-node', node, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'confirm-down',
    {
      operationId: 'confirmNodeDown',
      summary: 'Vouch that a node is down',
      description:
        'Its resources may be started elsewhere at once. If the node still runs them, data can be destroyed: switch it off first. Refused while the node holds a lease, unless an earlier boot of it is what may run on.',
    },
    [404, 409, 412, 422],
  )
  async confirmDown(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ConfirmDownBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'confirm-node-down', node, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'allow-fencing',
    {
      operationId: 'allowNodeFencing',
      summary: 'Let a node be fenced although many were fenced lately',
      description:
        'Fencing waits when `systole-fencing-limit` nodes were fenced within ten minutes (status says so). This lets it go on for this node, until it joins again, whether it is lost, never joined, or failed while it holds a lease.',
    },
    [404, 409, 412, 422],
  )
  async allowFencing(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'allow-fencing', node, ...because(body) }, { query, ...asking });
  }

  async #write(
    cluster: string,
    command: ClusterCommand,
    context: { readonly query: WriteQuery; readonly operator: OperatorPrincipal; readonly request: Request; readonly response: Response },
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...context, clusterId, command, places: { '/node': { parameter: 'node' } } });
  }
}
