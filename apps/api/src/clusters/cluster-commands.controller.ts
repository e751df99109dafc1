import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import { TextField, TextListField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';

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

/** Commands on a cluster as a whole. */
@ApiTags('clusters')
@Controller('v1/clusters/:cluster/commands')
export class ClusterCommandsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @Post('maintenance')
  @Write({
    operationId: 'maintainCluster',
    summary: 'Leave everything in the cluster as it is',
    description: 'The option `maintenance-mode`.',
    body: { type: ReasonBody, required: false },
  })
  async maintenance(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-cluster-maintenance', maintenance: true, ...because(body) }, { query, ...asking });
  }

  @Post('unmaintenance')
  @Write({
    operationId: 'unmaintainCluster',
    summary: 'Look after everything in the cluster again',
    description: 'Clears the option `maintenance-mode`: what runs is probed, monitored and managed again.',
    body: { type: ReasonBody, required: false },
  })
  async unmaintenance(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-cluster-maintenance', maintenance: false, ...because(body) }, { query, ...asking });
  }

  @Post('stop-all')
  @Write({
    operationId: 'stopAllResources',
    summary: 'Stop all resources, and keep them stopped',
    description:
      'The option `stop-all-resources`. Fence devices go on, nodes stay members, and what each `target-role` says stays as it is. What is not managed is left alone.',
    body: { type: ReasonBody, required: false },
  })
  async stopAll(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-all-stopped', stopped: true, ...because(body) }, { query, ...asking });
  }

  @Post('start-all')
  @Write({
    operationId: 'startAllResources',
    summary: 'Let all resources run again that `stop-all` has stopped',
    description: 'Clears the option `stop-all-resources`: what is disabled for itself stays stopped.',
    body: { type: ReasonBody, required: false },
  })
  async startAll(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-all-stopped', stopped: false, ...because(body) }, { query, ...asking });
  }

  @Post('clear-fencing-history')
  @Write({
    operationId: 'clearFencingHistory',
    summary: 'Note that how nodes were fenced until now was seen',
    description:
      "What came before is not shown any more by the status in crm_mon's formats nor by `systole fencing history`. The events stay, and what fencing failed lately goes on to count (`fencing-max-attempts`).",
    body: { type: FencingHistoryBody, required: false },
  })
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

  @Post('standby')
  @Write({
    operationId: 'standbyNodes',
    summary: 'Move everything off all nodes, or several, as one event',
    description: 'Those that are named, or every node of the cluster; refused as a whole when one of them can not be put in standby.',
    body: { type: NodesBody, required: false },
  })
  async standby(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-nodes-standby', standby: true, ...nodesIn(body), ...because(body) }, { query, ...asking });
  }

  @Post('unstandby')
  @Write({
    operationId: 'unstandbyNodes',
    summary: 'Let all nodes, or several, run resources again, as one event',
    description: 'Those that are named, or every node of the cluster, as one change.',
    body: { type: NodesBody, required: false },
  })
  async unstandby(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-nodes-standby', standby: false, ...nodesIn(body), ...because(body) }, { query, ...asking });
  }

  @Post('cleanup')
  @Write({
    operationId: 'cleanUpResources',
    summary: 'Forget all failures, and the history where something failed, so that it is probed again',
    description: 'Of all resources, or of one node’s; what did not fail is left alone. As `pcs resource cleanup` without a resource.',
    body: { type: OnNodeBody, required: false },
  })
  async cleanUp(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: OnNodeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'clean-up-resource', ...nodeIn(body), ...because(body) }, { query, ...asking });
  }

  @Post('refresh')
  @Write({
    operationId: 'refreshResources',
    summary: 'Forget all that is known of all resources, so that they are probed again',
    description: 'What runs goes on running while it is looked for. As `pcs resource refresh` without a resource.',
    body: { type: OnNodeBody, required: false },
  })
  async refresh(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: OnNodeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'refresh-resource', ...nodeIn(body), ...because(body) }, { query, ...asking });
  }

  @Post('maintain-nodes')
  @Write({
    operationId: 'maintainNodes',
    summary: 'Leave everything on several nodes, or all, as it is',
    description: 'The attribute `maintenance` of these nodes, in one event.',
    body: { type: NodesBody, required: false },
  })
  async maintainNodes(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: NodesBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const command = { type: 'set-nodes-maintenance', maintenance: true, ...nodesIn(body), ...because(body) } as const;
    return this.#write(cluster, command, { query, ...asking });
  }

  @Post('unmaintain-nodes')
  @Write({
    operationId: 'unmaintainNodes',
    summary: 'Look after what runs on several nodes, or all, again',
    description: 'The attribute `maintenance` of these nodes, in one event.',
    body: { type: NodesBody, required: false },
  })
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
