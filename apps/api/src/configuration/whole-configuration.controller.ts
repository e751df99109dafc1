import { Body, Controller, Get, Param, Patch, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { OperatorPrincipal } from '@systole/access';
import { showConfiguration, WHOLE, WHOLE_CONFIGURATION } from '@systole/cib';
import type { Request, Response } from 'express';
import { Operator } from '../access/access.guard.js';
import { ApiRevalidated } from '../http/revalidation.js';
import { ApiProblems } from '../openapi/responses.js';
import { schemaPath } from '../openapi/schema-path.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { clearFor, ConfigurationReads, sendElement } from './configuration-reads.js';
import { ConfigurationWrites, elementIn } from './configuration-writes.js';
import { ReadParametersQuery, WriteConfigurationQuery } from './configuration.dto.js';
import { ApiPatchBody, patchIn } from './patch-body.js';

const DOCUMENT = { $ref: schemaPath(WHOLE_CONFIGURATION) };

/** The whole configuration as one document: what the collections hold, each element as it is by itself. */
@ApiTags('configuration')
@Controller('v1/clusters/:cluster/configuration')
export class WholeConfigurationController {
  constructor(
    private readonly reads: ConfigurationReads,
    private readonly writes: ConfigurationWrites,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getConfiguration',
    summary: 'Get the whole configuration, as JSON or XML (Accept)',
    description:
      'Of now or as of a version (`at`); without status. As JSON by collection, without comments; as XML it is `<configuration>`.',
  })
  @ApiOkResponse({ content: { 'application/json': { schema: DOCUMENT }, 'application/xml': { schema: { type: 'string' } } } })
  @ApiRevalidated()
  @ApiProblems(400, 403, 404, 406)
  async get(
    @Param('cluster') cluster: string,
    @Query() query: ReadParametersQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const configuration = await this.reads.configuration({ cluster, at: query.at, response, ...clearFor(operator, query) });
    sendElement(request, response, configuration, showConfiguration(configuration));
  }

  @Put()
  @Write({
    operationId: 'replaceConfiguration',
    summary: 'Make the configuration that of a document',
    description:
      'What is left out is deleted; what stands elsewhere in it is moved. Ids, order and comments stay where nothing else is said. As XML it is taken as it is. A large one goes to `PUT …/cib`.',
    restsOn: 'configuration',
  })
  @ApiConsumes('application/json', 'application/xml')
  @ApiBody({ required: true, schema: DOCUMENT })
  replace(
    @Param('cluster') cluster: string,
    @Query() query: WriteConfigurationQuery,
    @Body() body: unknown,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const write = { cluster, query, ...asking };
    return this.writes.one(write, { edit: 'replace', collection: WHOLE, ...elementIn(asking.request, body) });
  }

  @Patch()
  @Write({
    operationId: 'patchConfiguration',
    summary: 'Change the configuration by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)',
    description: 'Of the document as it is read. A list in a merge patch replaces the list: what it leaves out is deleted.',
    restsOn: 'configuration',
  })
  @ApiPatchBody()
  patch(
    @Param('cluster') cluster: string,
    @Query() query: WriteConfigurationQuery,
    @Body() body: unknown,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const write = { cluster, query, ...asking };
    return this.writes.one(write, { edit: 'patch', collection: WHOLE, patch: patchIn(asking.request, body) });
  }
}
