import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import { AccessTokens, ClusterCatalog, ClusterCommands, ClusterNameTaken, NodeLeases } from '@systole/read-models';
import type { Request, Response } from 'express';
import { Needs, Operator } from '../access/access.guard.js';
import type { OperatorPrincipal } from '../access/principal.js';
import { etagOf } from '../http/etag.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { HttpProblem } from '../http/problem.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { correlationId } from '../http/request-context.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency.interceptor.js';
import { ApiIfMatch } from '../openapi/headers.js';
import { ApiProblems } from '../openapi/responses.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { ClusterLookup } from './cluster-lookup.js';
import { ClusterDto, ClusterListDto, CreateClusterBody, CreateClusterQuery, PageQuery } from './clusters.dto.js';

/** Making, listing and deleting clusters. */
@ApiTags('clusters')
@Controller('v1/clusters')
export class ClustersController {
  constructor(
    private readonly catalog: ClusterCatalog,
    private readonly lookup: ClusterLookup,
    private readonly commands: ClusterCommands,
    private readonly writes: ClusterWrites,
  ) {}

  @Post()
  @HttpCode(201)
  @Needs('admin')
  @ApiOperation({ operationId: 'createCluster', summary: 'Make a cluster' })
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: ClusterDto })
  @ApiOkResponse({ type: WriteResultDto, description: 'Of a dry run.' })
  @ApiProblems(400, 409, 413, 415, 422)
  async create(
    @Query() query: CreateClusterQuery,
    @Body() body: CreateClusterBody,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClusterDto | WriteResultDto> {
    const id = randomUUID();
    const { name, cib } = body;
    const command: ClusterCommand = { type: 'create-cluster', name, ...(cib === undefined ? {} : { cib }) };
    if (query.dryRun === true) {
      // Otherwise the append itself finds out.
      if ((await this.catalog.find(name))?.name === name) throw nameTaken(name);
      response.status(200);
      return this.writes.write({ clusterId: id, command, operator, query, request, response });
    }
    const result = await this.commands.execute(id, command, { actor: operator.actor, correlationId: correlationId(request) });
    if (!result.ok) throw rejectionProblem(result.rejection);
    response.set({ location: `/v1/clusters/${id}`, etag: etagOf(result.version) });
    return this.lookup.find(id);
  }

  @Get()
  @Needs('viewer')
  @ApiOperation({ operationId: 'listClusters', summary: 'List the clusters, by name' })
  @ApiOkResponse({ type: ClusterListDto })
  @ApiProblems(400)
  async list(@Query() query: PageQuery): Promise<ClusterListDto> {
    const limit = query.limit ?? DEFAULT_PAGE;
    const read = await this.catalog.list({ limit: limit + 1, ...(query.cursor === undefined ? {} : { afterName: query.cursor }) });
    return pageOf(read, limit, (entry) => entry.name);
  }

  @Get(':cluster')
  @Needs('viewer')
  @ApiOperation({ operationId: 'getCluster', summary: 'Get a cluster by its id or name' })
  @ApiOkResponse({ type: ClusterDto })
  @ApiProblems(404)
  async get(@Param('cluster') cluster: string, @Res({ passthrough: true }) response: Response): Promise<ClusterDto> {
    const entry = await this.lookup.find(cluster);
    response.set('etag', etagOf(entry.version));
    return entry;
  }

  @Delete(':cluster')
  @Needs('admin')
  @ApiOperation({
    operationId: 'deleteCluster',
    summary: 'Delete a cluster',
    description: "What runs keeps running, unmanaged. Its agents' tokens are revoked. Its events stay.",
  })
  @ApiIfMatch()
  @ApiOkResponse({ type: WriteResultDto })
  @ApiProblems(404, 412)
  async delete(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({
      clusterId,
      command: { type: 'delete-cluster' },
      operator,
      query,
      request,
      response,
      within: async (client) => {
        await AccessTokens.revokeOfCluster(client, clusterId);
        await NodeLeases.endAll(client, clusterId);
      },
    });
  }
}

function nameTaken(name: string): HttpProblem {
  const { message } = new ClusterNameTaken(name);
  return new HttpProblem(409, 'cluster-exists', message, { errors: [{ pointer: '/name', detail: message }] });
}
