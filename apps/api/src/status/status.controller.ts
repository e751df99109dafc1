import { Controller, Get, Param, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PastQuery } from '../reads/past.query.js';
import { PastVersions } from '../reads/past-versions.js';
import type { Caller } from '../computing/caller.js';
import { FrontKeeps } from '../front/front-keeps.js';
import { newMaking } from '../http/etag.js';
import { acceptedForm, ApiTagged, tagBy } from '../http/revalidation.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { MonitorView } from './monitor-view.js';
import { isWhole } from './selection.js';
import { sharedFile } from './send-shared.js';
import { selectedStatus, StatusView } from './status-view.js';
import { NodeDto, NodeListDto, StatusDto, StatusQuery } from './status.dto.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';

/** How a cluster and its nodes are. */
@ApiTags('status')
@ApiExtraModels(StatusDto)
@Controller('v1/clusters/:cluster')
export class StatusController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly view: StatusView,
    private readonly monitor: MonitorView,
    private readonly versions: PastVersions,
    private readonly front: FrontKeeps,
  ) {}

  @Get('status')
  @ApiOperation({
    operationId: 'getStatus',
    summary: 'Get the status of a cluster: nodes, resources, failures, what is going on',
    description:
      'What is so now, or was at a version or time (`at`), what is being done about it, and what is waited for and why. As `application/xml` it is what `crm_mon --output-as=xml` of Pacemaker 2.1 prints, so that exporters and check scripts read it.',
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(StatusDto) } },
      'application/xml': { schema: { type: 'string' } },
    },
  })
  @ApiTagged()
  @ApiProblems(400, 404, 406)
  async status(
    @Param('cluster') cluster: string,
    @Query() { version, at: moment, ...selection }: StatusQuery,
    @Waiting() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusDto | StreamableFile | string> {
    const form = acceptedForm(request);
    if (form === undefined) throw new HttpProblem(406, 'not-acceptable', 'a status can be had as application/json or application/xml');
    const { id } = await this.lookup.find(cluster);
    const at = await this.versions.asked(id, {
      ...(version === undefined ? {} : { version }),
      ...(moment === undefined ? {} : { at: moment }),
    });
    const isJson = form === 'json';
    if (at === undefined && isWhole(selection)) {
      const shared = await (isJson ? this.view.present(id) : this.monitor.present(id));
      tagBy(response.vary('Accept'), shared.version, form, shared.making);
      this.front.tell(response, id, shared.head, shared.good());
      return sharedFile(request, response, isJson ? JSON_TYPE : XML_TYPE, shared);
    }
    if (at === undefined && isJson) {
      const { value, version: of, making, head, good } = await this.view.present(id);
      tagBy(response.vary('Accept'), of, form, making);
      this.front.tell(response, id, head, good());
      return selectedStatus(value.status, selection, value.cib);
    }
    if (isJson) {
      const status = await this.view.status(id, caller, at, selection);
      tagBy(response.vary('Accept'), status);
      return status;
    }
    const { status, text } = await this.monitor.document(id, caller, at, selection);
    tagBy(response.vary('Accept'), status, form, at === undefined ? newMaking() : undefined);
    response.type('application/xml');
    return text;
  }

  @Get('nodes')
  @ApiOperation({
    operationId: 'listNodes',
    summary: 'List the nodes of a cluster',
    description: 'Those that are configured, and those that have joined.',
  })
  @ApiOkResponse({ type: NodeListDto })
  @ApiProblems(400, 404)
  async nodes(
    @Param('cluster') cluster: string,
    @Query() query: PastQuery,
    @Waiting() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NodeListDto | StreamableFile> {
    const { id } = await this.lookup.find(cluster);
    const at = await this.versions.asked(id, query);
    if (at !== undefined) return { items: await this.view.pastNodes(id, caller, at) };
    const shared = await this.view.presentNodes(id);
    this.front.tell(response, id, shared.head, shared.good());
    return sharedFile(request, response, JSON_TYPE, shared);
  }

  @Get('nodes/:node')
  @ApiOperation({ operationId: 'getNode', summary: 'Get one node', description: 'Its membership, lease, attributes and what runs there.' })
  @ApiOkResponse({ type: NodeDto })
  @ApiProblems(400, 404)
  async node(
    @Param('cluster') cluster: string,
    @Param('node') name: string,
    @Query() query: PastQuery,
    @Waiting() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NodeDto> {
    const { id } = await this.lookup.find(cluster);
    const at = await this.versions.asked(id, query);
    let nodes: readonly NodeDto[];
    if (at === undefined) {
      const shared = await this.view.presentNodes(id);
      this.front.tell(response, id, shared.head, shared.good());
      nodes = shared.value;
    } else {
      nodes = await this.view.pastNodes(id, caller, at);
    }
    const node = nodes.find((candidate) => candidate.name === name);
    if (node === undefined) {
      const detail = `the cluster has no node ${name.slice(0, 80)}`;
      throw new HttpProblem(404, 'node-not-found', detail, { errors: [{ parameter: 'node', detail }] });
    }
    return node;
  }
}
