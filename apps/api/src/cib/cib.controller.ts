import { Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { cibToJson, serializeXml } from '@systole/cib';
import type { Request, Response } from 'express';
import { Needs, Operator } from '../access/access.guard.js';
import type { OperatorPrincipal } from '../access/principal.js';
import { ClusterHistory } from '../clusters/cluster-history.js';
import { ClusterLookup } from '../clusters/cluster-lookup.js';
import { etagOf } from '../http/etag.js';
import { HttpProblem } from '../http/problem.js';
import { ApiIfMatch } from '../openapi/headers.js';
import { ApiProblems } from '../openapi/responses.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { cibIn } from './cib-body.js';
import { CibElementDto, ReadCibQuery, ReplaceCibQuery } from './cib.dto.js';

const AS_XML = { 'application/xml': { schema: { type: 'string' } } } as const;

/** The whole CIB: configuration and status in one document, as Pacemaker's tools read it. */
@ApiTags('cib')
@ApiExtraModels(CibElementDto)
@Controller('v1/clusters/:cluster/cib')
export class CibController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly writes: ClusterWrites,
  ) {}

  @Get()
  @Needs('viewer')
  @ApiOperation({ operationId: 'getCib', summary: 'Get the CIB, as XML or JSON (Accept)' })
  @ApiOkResponse({ content: { ...AS_XML, 'application/json': { schema: { $ref: getSchemaPath(CibElementDto) } } } })
  @ApiProblems(404, 406)
  async get(
    @Param('cluster') cluster: string,
    @Query() query: ReadCibQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.lookup.find(cluster);
    const { state } = await this.history.at(id, query.version);
    const { cib, version } = state;
    response.set({ etag: etagOf(version), vary: 'Accept' });
    switch (request.accepts(['application/xml', 'text/xml', 'application/json'])) {
      case 'application/json':
        response.json(cibToJson(cib));
        return;
      case false:
        throw new HttpProblem(406, 'not-acceptable', 'a CIB can be had as application/xml or application/json');
      default:
        response.type('application/xml').send(serializeXml(cib));
    }
  }

  @Put()
  @Needs('operator')
  @ApiOperation({
    operationId: 'replaceCib',
    summary: 'Replace the configuration',
    description:
      'The `configuration` of the document replaces the present one; its `status` is ignored, because status is what agents report.',
  })
  @ApiIfMatch()
  @ApiConsumes('application/xml', 'application/json')
  @ApiBody({
    required: true,
    description: 'A CIB as XML, or the same as JSON (CibElementDto).',
    schema: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(CibElementDto) }] },
  })
  @ApiOkResponse({ type: WriteResultDto })
  @ApiProblems(404, 412, 413, 415, 422)
  async replace(
    @Param('cluster') cluster: string,
    @Query() query: ReplaceCibQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { reason, ...write } = query;
    return this.writes.write({
      clusterId,
      command: { type: 'replace-configuration', cib: cibIn(request), ...(reason === undefined ? {} : { reason }) },
      operator,
      query: write,
      request,
      response,
      // The document is the body itself: places in it are told by line, element and path.
      places: { '/cib': {} },
    });
  }
}
