import { Body, Controller, Delete, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { epochVersion, writtenAttributes, writtenUtilization, type ClusterCommand, type ClusterState } from '@systole/cluster';
import type { Response } from 'express';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PastQuery } from '../reads/past.query.js';
import { ApiTagged, tagBy } from '../http/revalidation.js';
import { HttpProblem } from '../http/problem.js';
import { requireSeenName } from '../http/seen-names.js';
import { ApiProblems } from '../openapi/responses.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite } from '../writes/cluster-writes.js';
import { because } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import {
  ClearNodeAttributeQuery,
  ClearQuery,
  NodeAttributeDto,
  NodeAttributeListDto,
  ReadNodeAttributeQuery,
  SetNodeAttributeBody,
  SetUtilizationBody,
  UtilizationDto,
  UtilizationListDto,
} from './node-attributes.dto.js';

/** What is said about a node. */
@ApiTags('nodes')
@Controller('v1/clusters/:cluster/nodes/:node')
export class NodeAttributesController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly writes: ClusterWrites,
  ) {}

  @Get('attributes')
  @ApiOperation({
    operationId: 'listNodeAttributes',
    summary: 'List the attributes that are written for a node',
    description: 'Also those that others go before: that of the node until its reboot counts before the permanent one.',
  })
  @ApiOkResponse({ type: NodeAttributeListDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async attributes(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: PastQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NodeAttributeListDto> {
    return { items: await this.#written(writtenAttributes, node, { cluster, query, response }) };
  }

  @Get('attributes/:name')
  @ApiOperation({
    operationId: 'getNodeAttribute',
    summary: 'Get an attribute that is written for a node',
    description: 'The one that counts, or the one of a `lifetime`.',
  })
  @ApiOkResponse({ type: NodeAttributeDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async attribute(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Param('name') name: string,
    @Query() { lifetime, ...query }: ReadNodeAttributeQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NodeAttributeDto> {
    const items = await this.#written(writtenAttributes, node, { cluster, query, response });
    const own = items.filter((item) => item.name === name && (lifetime === undefined || item.lifetime === lifetime));
    return named(own.find((item) => item.lifetime === 'reboot') ?? own[0], { node, name, what: 'attribute' });
  }

  @Put('attributes/:name')
  @Write({
    operationId: 'setNodeAttribute',
    summary: 'Set an attribute of a node',
    description: 'For good, or until the next reboot of the node.',
  })
  async setAttribute(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Param('name') name: string,
    @Query() query: WriteQuery,
    @Body() body: SetNodeAttributeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    requireSeenName('name', name);
    const { value, lifetime = 'forever' } = body;
    const command: ClusterCommand = { type: 'set-node-attribute', node, name, value, lifetime, ...because(body) };
    return this.#write(cluster, command, { query, ...asking });
  }

  @Delete('attributes/:name')
  @Write({
    operationId: 'clearNodeAttribute',
    summary: 'Clear an attribute of a node',
    description: 'The permanent one, or the one until the next reboot.',
  })
  async clearAttribute(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Param('name') name: string,
    @Query() { lifetime = 'forever', reason, ...query }: ClearNodeAttributeQuery,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const why = reason === undefined ? {} : { reason };
    return this.#write(cluster, { type: 'clear-node-attribute', node, name, lifetime, ...why }, { query, ...asking });
  }

  @Get('utilization')
  @ApiOperation({
    operationId: 'listNodeUtilization',
    summary: 'List what a node can carry',
    description: 'What resources take of it is in their `utilization`; it counts where `placement-strategy` says so.',
  })
  @ApiOkResponse({ type: UtilizationListDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async utilization(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: PastQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UtilizationListDto> {
    return { items: await this.#written(writtenUtilization, node, { cluster, query, response }) };
  }

  @Get('utilization/:name')
  @ApiOperation({
    operationId: 'getNodeUtilization',
    summary: 'Get how much of something a node can carry',
    description: 'What resources take of it is in their `utilization`.',
  })
  @ApiOkResponse({ type: UtilizationDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async utilizationOf(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Param('name') name: string,
    @Query() query: PastQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UtilizationDto> {
    const items = await this.#written(writtenUtilization, node, { cluster, query, response });
    return named(
      items.find((item) => item.name === name),
      { node, name, what: 'utilization attribute' },
    );
  }

  @Put('utilization/:name')
  @Write({
    operationId: 'setNodeUtilization',
    summary: 'Say how much of something a node can carry',
    description: 'Counts where `placement-strategy` says so.',
  })
  async setUtilization(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Param('name') name: string,
    @Query() query: WriteQuery,
    @Body() body: SetUtilizationBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    requireSeenName('name', name);
    const command: ClusterCommand = { type: 'set-node-utilization', node, name, value: body.value, ...because(body) };
    return this.#write(cluster, command, { query, ...asking });
  }

  @Delete('utilization/:name')
  @Write({
    operationId: 'clearNodeUtilization',
    summary: 'Say nothing more about how much of something a node can carry',
    description: 'Then the node has nothing of it for resources that ask for some.',
  })
  async clearUtilization(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Param('name') name: string,
    @Query() { reason, ...query }: ClearQuery,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const why = reason === undefined ? {} : { reason };
    return this.#write(cluster, { type: 'set-node-utilization', node, name, ...why }, { query, ...asking });
  }

  async #written<T>(
    written: (state: ClusterState, node: string) => T | undefined,
    node: string,
    { cluster, query, response }: { readonly cluster: string; readonly query: PastQuery; readonly response: Response },
  ): Promise<T> {
    const { id } = await this.lookup.find(cluster);
    const { state } = await this.history.asked(id, query);
    const items = found(written(state, node), node);
    tagBy(response, epochVersion(state));
    return items;
  }

  async #write(cluster: string, command: ClusterCommand, write: AskedWrite): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...write, clusterId, command, places: { '/node': { parameter: 'node' }, '/name': { parameter: 'name' } } });
  }
}

/** @throws {HttpProblem} 404 where nothing of that name is written */
function named<T>(item: T | undefined, { node, name, what }: { readonly node: string; readonly name: string; readonly what: string }): T {
  if (item !== undefined) return item;
  const detail = `no ${what} ${name.slice(0, 80)} is written for ${node.slice(0, 80)}`;
  throw new HttpProblem(404, 'attribute-not-found', detail, { errors: [{ parameter: 'name', detail }] });
}

/** @throws {HttpProblem} 404 where there is no such node */
function found<T>(items: T | undefined, node: string): T {
  if (items !== undefined) return items;
  const detail = `the cluster has no node ${node.slice(0, 80)}`;
  throw new HttpProblem(404, 'node-not-found', detail, { errors: [{ parameter: 'node', detail }] });
}
