import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { clusterNameTaken, epochVersion, type ClusterCommand, type EpochVersion } from '@systole/cluster';
import { ClusterCommands } from '@systole/control-plane';
import { ClusterCatalog, ClusterStates, type ClusterEntry } from '@systole/read-models';
import type { Request, Response } from 'express';
import { Operator, Waiting } from '../access/access.guard.js';
import type { OperatorPrincipal } from '@systole/access';
import type { Caller } from '../computing/caller.js';
import { etagOf } from '../http/etag.js';
import { findingsAfter, findingsFound } from '../findings/shown-findings.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { ApiTagged, tagBy } from '../http/revalidation.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { correlationId } from '../http/request-context.js';
import { requestId } from '../idempotency/idempotency.interceptor.js';
import { ApiProblems } from '../openapi/responses.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { because } from '../writes/reason-body.js';
import { shownUpgrade } from '../writes/upgrade.dto.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { UnlistedClusters } from '../reads/unlisted-clusters.js';
import {
  CancelDeletionBody,
  ClusterDto,
  ClusterListDto,
  CreateClusterBody,
  CreateClusterQuery,
  DeleteClusterQuery,
} from './clusters.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { receivedAs } from '../writes/received-request.js';
import { PageQuery } from '../http/page-query.js';

/** Making, listing and deleting clusters. */
@ApiTags('clusters')
@Controller('v1/clusters')
export class ClustersController {
  constructor(
    private readonly catalog: ClusterCatalog,
    private readonly lookup: ClusterLookup,
    private readonly commands: ClusterCommands,
    private readonly writes: ClusterWrites,
    private readonly states: ClusterStates,
    private readonly unlisted: UnlistedClusters,
    private readonly clock: ClockWatch,
  ) {}

  @Post()
  @Write({
    operationId: 'createCluster',
    summary: 'Make a cluster',
    description: 'Without a CIB its configuration is empty. Nodes join with tokens of their own.',
    restsOn: 'none',
    answer: { status: 201, type: ClusterDto },
    dryRun: WriteResultDto,
    refusals: [412],
  })
  async create(
    @Query() query: CreateClusterQuery,
    @Body() body: CreateClusterBody,
    @Asking() { operator, request, response }: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<ClusterDto | WriteResultDto> {
    const received = receivedAs(request, this.clock);
    const { id, made } = await this.#newCluster(request);
    const { name, cib } = body;
    const command: ClusterCommand = {
      type: 'create-cluster',
      name,
      ...(cib === undefined ? {} : { cib }),
      ...because(body),
      ...(query.force === true ? { force: true } : {}),
    };
    if (query.dryRun === true) {
      // Otherwise the append itself finds out.
      if ((await this.catalog.find(name))?.name === name) throw rejectionProblem(clusterNameTaken(name));
      response.status(200);
      return this.writes.write({ clusterId: id, command, operator, query, request, response });
    }
    if (made) {
      const entry = await this.lookup.find(id);
      response.set({ location: `/v1/clusters/${id}`, etag: etagOf(await this.#versionOf(entry)) });
      return entry;
    }
    const upgrade = await this.writes.judgeLarge({ clusterId: id, command }, undefined, caller);
    const result = await this.commands.execute(id, command, { actor: operator.actor, correlationId: correlationId(request), received });
    if (!result.ok) throw rejectionProblem(result.rejection);
    response.set({ location: `/v1/clusters/${id}`, etag: etagOf(result) });
    // It is made: that it can't be read again now makes this no failure.
    const entry = await this.lookup.find(id).catch(() => ({ id, name, version: result.version, createdAt: new Date().toISOString() }));
    return cib === undefined ? entry : { ...entry, ...(await this.#findings(id)), ...shownUpgrade(upgrade) };
  }

  @Get()
  @ApiOperation({
    operationId: 'listClusters',
    summary: 'List the clusters, by name',
    description: 'Those that were not deleted and that the token is for, a page at a time.',
  })
  @ApiOkResponse({ type: ClusterListDto })
  @ApiProblems(400)
  async list(@Query() query: PageQuery, @Operator() { clusters, clusterNames }: OperatorPrincipal): Promise<ClusterListDto> {
    const limit = query.limit ?? DEFAULT_PAGE;
    const after = query.cursor === undefined ? {} : { afterName: query.cursor };
    const read = await this.catalog.list({ limit: limit + 1, ids: clusters, names: clusterNames, ...after });
    // Whose clusters were lost nobody can tell before the list is made anew.
    const lost = clusters === undefined ? await this.unlisted.text() : undefined;
    return { ...pageOf(read, limit, (entry) => entry.name), ...(lost === undefined ? {} : { incomplete: lost }) };
  }

  @Get(':cluster')
  @ApiOperation({
    operationId: 'getCluster',
    summary: 'Get a cluster by its id or name',
    description: 'Its name, version, nodes and quorum in a few fields; `…/status` says more.',
  })
  @ApiOkResponse({ type: ClusterDto })
  @ApiTagged()
  @ApiProblems(404)
  async get(@Param('cluster') cluster: string, @Res({ passthrough: true }) response: Response): Promise<ClusterDto> {
    const entry = await this.lookup.find(cluster);
    tagBy(response, await this.#versionOf(entry));
    return entry;
  }

  @Delete(':cluster')
  @Write({
    operationId: 'deleteCluster',
    summary: 'Delete a cluster',
    description:
      'What runs keeps running, unmanaged: its agents are told so, and end. Its events stay. With `stop=true` everything is stopped first; the answer does not wait for it.',
  })
  async delete(@Param('cluster') cluster: string, @Query() query: DeleteClusterQuery, @Asking() asking: AskedBy): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    if (query.stop === true) {
      return this.writes.write({ clusterId, command: { type: 'stop-cluster', ...because(query) }, query, ...asking });
    }
    return this.writes.write({
      clusterId,
      command: { type: 'delete-cluster', ...because(query) },
      query,
      ...asking,
      within: ({ leases }) => leases.endAll(clusterId),
    });
  }

  @Post(':cluster/commands/cancel-deletion')
  @Write({
    operationId: 'cancelClusterDeletion',
    summary: 'Call off a deletion that stops everything first',
    description: 'What was stopped may start again. Refused when nobody asked for the deletion.',
  })
  async cancelDeletion(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: CancelDeletionBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const command: ClusterCommand = { type: 'cancel-stop', ...because(body) };
    return this.writes.write({ clusterId, command, query, ...asking });
  }

  /** The cluster is made: that nothing can be said about its configuration now makes it no failure. */
  async #findings(id: string): Promise<Pick<ClusterDto, 'findings'>> {
    return this.states.load(id).then(
      ({ cib }) => findingsFound(findingsAfter(cib, undefined)),
      () => ({}),
    );
  }

  async #versionOf({ id, version }: ClusterEntry): Promise<EpochVersion> {
    return epochVersion(await this.states.load(id), version);
  }

  /**
   * With an Idempotency-Key the id follows from the request: when the process that did it died before it could keep its answer, the same request finds what it
   * made. A cluster that was deleted since is not made again.
   */
  async #newCluster(request: Request): Promise<{ readonly id: string; readonly made: boolean }> {
    const id = requestId(request);
    if (id === undefined) return { id: randomUUID(), made: false };
    const { existence } = await this.states.load(id);
    return existence === 'deleted' ? { id: randomUUID(), made: false } : { id, made: existence === 'active' };
  }
}
