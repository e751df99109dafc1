import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import { TextField, TextListField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { WriteCommand } from '../writes/write-command.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { ClusterLookup } from './cluster-lookup.js';

/** As many nodes as a cluster may have. */
const MOST_NODES = 1_000;

export class NodesBody extends ReasonBody {
  @TextListField({ description: 'Names of the nodes; all cluster nodes when left out.', max: MOST_NODES, optional: true })
  readonly nodes?: readonly string[];
}

export class OnNodeBody extends ReasonBody {
  @TextField({ description: 'On this node only; on every node when left out.', max: 255, optional: true })
  readonly node?: string;
}

export class FencingHistoryBody extends ReasonBody {
  @TextField({ description: 'Of the fencing of this node only; of all when left out.', max: 255, optional: true })
  readonly node?: string;
}

const PROBLEMS = [404, 409, 412, 422] as const;

/** Commands on a cluster as a whole. */
@ApiTags('clusters')
@Controller('v1/clusters/:cluster/commands')
export class ClusterCommandsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @WriteCommand(
    'maintenance',
    { operationId: 'maintainCluster', summary: 'Leave everything in the cluster as it is', description: 'The option `maintenance-mode`.' },
    PROBLEMS,
    ApiBody({ type: ReasonBody, required: false }),
  )
  async maintenance(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-cluster-maintenance', maintenance: true, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'unmaintenance',
    {
      operationId: 'unmaintainCluster',
      summary: 'Look after everything in the cluster again',
      description: 'Clears the option `maintenance-mode`: what runs is probed, monitored and managed again.',
    },
    PROBLEMS,
    ApiBody({ type: ReasonBody, required: false }),
  )
  async unmaintenance(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-cluster-maintenance', maintenance: false, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'stop-all',
    {
      operationId: 'stopAllResources',
      summary: 'Stop all resources, and keep them stopped',
      description:
        'The option `stop-all-resources`. Fence devices go on, nodes stay members, and what each `target-role` says stays as it is. What is not managed is left alone.',
    },
    PROBLEMS,
    ApiBody({ type: ReasonBody, required: false }),
  )
  async stopAll(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-all-stopped', stopped: true, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'start-all',
    {
      operationId: 'startAllResources',
      summary: 'Let all resources run again that `stop-all` has stopped',
      description: 'Clears the option `stop-all-resources`: what is disabled for itself stays stopped.',
    },
    PROBLEMS,
    ApiBody({ type: ReasonBody, required: false }),
  )
  async startAll(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-all-stopped', stopped: false, ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'clear-fencing-history',
    {
      operationId: 'clearFencingHistory',
      summary: 'Note that how nodes were fenced until now was seen',
      description:
        "What came before is not shown any more by the status in crm_mon's formats nor by `systole fencing history`. The events stay, and what fencing failed lately goes on to count (`fencing-max-attempts`).",
    },
    PROBLEMS,
    ApiBody({ type: FencingHistoryBody, required: false }),
  )
  async clearFencingHistory(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: FencingHistoryBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { node } = body;
    const command = { type: 'clear-fencing-history', ...(node === undefined ? {} : { node }), ...because(body) } as const;
    return this.#write(cluster, command, { query, ...asking });
  }

  @WriteCommand(
    'standby',
    {
      operationId: 'standbyNodes',
      summary: 'Move everything off all nodes, or several, as one event',
      description: 'Those that are named, or every node of the cluster; refused as a whole when one of them can not be put in standby.',
    },
    PROBLEMS,
    ApiBody({ type: NodesBody, required: false }),
  )
  async standby(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-nodes-standby', standby: true, ...nodesIn(body), ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'unstandby',
    {
      operationId: 'unstandbyNodes',
      summary: 'Let all nodes, or several, run resources again, as one event',
      description: 'Those that are named, or every node of the cluster, as one change.',
    },
    PROBLEMS,
    ApiBody({ type: NodesBody, required: false }),
  )
  async unstandby(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-nodes-standby', standby: false, ...nodesIn(body), ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'cleanup',
    {
      operationId: 'cleanUpResources',
      summary: 'Forget all failures, and the history where something failed, so that it is probed again',
      description: 'Of all resources, or of one node’s; what did not fail is left alone. As `pcs resource cleanup` without a resource.',
    },
    PROBLEMS,
    ApiBody({ type: OnNodeBody, required: false }),
  )
  async cleanUp(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: OnNodeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'clean-up-resource', ...nodeIn(body), ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'refresh',
    {
      operationId: 'refreshResources',
      summary: 'Forget all that is known of all resources, so that they are probed again',
      description: 'What runs goes on running while it is looked for. As `pcs resource refresh` without a resource.',
    },
    PROBLEMS,
    ApiBody({ type: OnNodeBody, required: false }),
  )
  async refresh(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: OnNodeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'refresh-resource', ...nodeIn(body), ...because(body) }, { query, ...asking });
  }

  @WriteCommand(
    'maintain-nodes',
    {
      operationId: 'maintainNodes',
      summary: 'Leave everything on several nodes, or all, as it is',
      description: 'The attribute `maintenance` of these nodes, in one event.',
    },
    PROBLEMS,
    ApiBody({ type: NodesBody, required: false }),
  )
  async maintainNodes(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const command = { type: 'set-nodes-maintenance', maintenance: true, ...nodesIn(body), ...because(body) } as const;
    return this.#write(cluster, command, { query, ...asking });
  }

  @WriteCommand(
    'unmaintain-nodes',
    {
      operationId: 'unmaintainNodes',
      summary: 'Look after what runs on several nodes, or all, again',
      description: 'The attribute `maintenance` of these nodes, in one event.',
    },
    PROBLEMS,
    ApiBody({ type: NodesBody, required: false }),
  )
  async unmaintainNodes(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const command = { type: 'set-nodes-maintenance', maintenance: false, ...nodesIn(body), ...because(body) } as const;
    return this.#write(cluster, command, { query, ...asking });
  }

  async #write(cluster: string, command: ClusterCommand, write: AskedWrite): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...write, clusterId, command });
  }
}

function nodesIn({ nodes }: NodesBody): Pick<NodesBody, 'nodes'> {
  return nodes === undefined ? {} : { nodes };
}

function nodeIn({ node }: OnNodeBody): Pick<OnNodeBody, 'node'> {
  return node === undefined ? {} : { node };
}
