import { Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { epochVersion } from '@systole/cluster';
import type { Request, Response } from 'express';
import { Operator, Waiting } from '../access/access.guard.js';
import type { OperatorPrincipal } from '@systole/access';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { ComputingLanes } from '../computing/computing-lanes.js';
import { acceptedForm, answerBy, ApiRevalidated } from '../http/revalidation.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { DocumentTexts } from '../scheduling/document-texts.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { cibIn } from './cib-body.js';
import { ClearSecrets } from '../reads/clear-secrets.js';
import { CibElementDto, ReadCibQuery, ReplaceCibQuery } from './cib.dto.js';
import { LastChanges } from '../reads/last-change.js';

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
    private readonly texts: DocumentTexts,
    private readonly lanes: ComputingLanes,
    private readonly clear: ClearSecrets,
    private readonly changes: LastChanges,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getCib',
    summary: 'Get the CIB, as JSON or XML (Accept)',
    description: 'As Pacemaker’s tools read it, of now or of an earlier version of the cluster.',
  })
  @ApiOkResponse({ content: { ...AS_XML, 'application/json': { schema: { $ref: getSchemaPath(CibElementDto) } } } })
  @ApiRevalidated()
  @ApiProblems(400, 403, 404, 406)
  async get(
    @Param('cluster') cluster: string,
    @Query() query: ReadCibQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.lookup.find(cluster);
    const { secrets, ...past } = query;
    const { state } = await this.history.asked(id, past);
    const document = await this.changes.documented(id, state);
    const cib = secrets === undefined ? document : await this.clear.shown(id, document, operator);
    // What holds secrets is kept nowhere.
    const texts = secrets === undefined ? this.texts : new DocumentTexts();
    if (secrets !== undefined) response.set('cache-control', 'no-store');
    const form = acceptedForm(request);
    if (answerBy(response.vary('Accept'), epochVersion(state), form)) {
      response.send();
      return;
    }
    switch (form) {
      case 'xml':
        response.type('application/xml').send(await texts.xml(cib));
        return;
      case undefined:
        throw new HttpProblem(406, 'not-acceptable', 'a CIB can be had as application/json or application/xml');
      default:
        response.type('application/json').send(await texts.json(cib));
    }
  }

  @Put()
  @Write({
    operationId: 'replaceCib',
    summary: 'Replace the configuration',
    description:
      'The `configuration` of the document replaces the present one; its `status` is ignored, because status is what agents report. A document of an older schema is brought to the current one, of the Heartbeat 2 generation, too; `upgrade` in the answer says what was changed.',
    restsOn: 'configuration',
  })
  @ApiConsumes('application/xml', 'application/json')
  @ApiBody({
    required: true,
    description: 'A CIB as XML, or the same as JSON (CibElementDto).',
    schema: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(CibElementDto) }] },
  })
  async replace(
    @Param('cluster') cluster: string,
    @Query() query: ReplaceCibQuery,
    @Asking() asking: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { reason, force, ...write } = query;
    const { format, text } = cibIn(asking.request);
    const cib = format === 'xml' ? text : await this.lanes.writes.compute(caller, () => ({ kind: 'xml', json: text }));
    return this.writes.write({
      clusterId,
      command: { type: 'replace-configuration', cib, ...(reason === undefined ? {} : { reason }), ...(force === true ? { force } : {}) },
      query: write,
      ...asking,
      // The document is the body itself: places in it are told by line, element and path.
      places: { '/cib': {} },
    });
  }
}
