import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../clusters/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { etagOf } from '../http/etag.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { StatusView } from './status-view.js';
import { NodeDto, NodeListDto, StatusDto, StatusQuery } from './status.dto.js';

/** How a cluster and its nodes are. */
@ApiTags('status')
@Controller('v1/clusters/:cluster')
export class StatusController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly view: StatusView,
  ) {}

  @Get('status')
  @ApiOperation({
    operationId: 'getStatus',
    summary: 'Get the status of a cluster: nodes, resources, failures, what is going on',
    description: 'What is so now, what is being done about it, and what is waited for and why. Of `crm_mon` the counterpart.',
  })
  @ApiOkResponse({ type: StatusDto })
  @ApiProblems(400, 404)
  async status(
    @Param('cluster') cluster: string,
    @Query() { version }: StatusQuery,
    @Waiting() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusDto> {
    const { id } = await this.lookup.find(cluster);
    const status = await this.view.status(id, caller, version);
    response.set('etag', etagOf(status));
    return status;
  }

  @Get('nodes')
  @ApiOperation({
    operationId: 'listNodes',
    summary: 'List the nodes of a cluster',
    description: 'Those that are configured, and those that have joined.',
  })
  @ApiOkResponse({ type: NodeListDto })
  @ApiProblems(400, 404)
  async nodes(@Param('cluster') cluster: string, @Query() { version }: StatusQuery, @Waiting() caller: Caller): Promise<NodeListDto> {
    const { id } = await this.lookup.find(cluster);
    return { items: (await this.view.nodes(id, caller, version)).nodes };
  }

  @Get('nodes/:node')
  @ApiOperation({ operationId: 'getNode', summary: 'Get one node', description: 'Its membership, lease, attributes and what runs there.' })
  @ApiOkResponse({ type: NodeDto })
  @ApiProblems(400, 404)
  async node(
    @Param('cluster') cluster: string,
    @Param('node') name: string,
    @Query() { version }: StatusQuery,
    @Waiting() caller: Caller,
  ): Promise<NodeDto> {
    const { id } = await this.lookup.find(cluster);
    const node = (await this.view.nodes(id, caller, version)).nodes.find((candidate) => candidate.name === name);
    if (node === undefined) {
      const detail = `the cluster has no node ${name.slice(0, 80)}`;
      throw new HttpProblem(404, 'node-not-found', detail, { errors: [{ parameter: 'node', detail }] });
    }
    return node;
  }
}
