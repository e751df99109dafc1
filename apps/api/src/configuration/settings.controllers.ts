import { Body, Controller, Get, Param, Patch, Put, Query, Req, Res, type Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { element, firstChildNamed, namedElementSchemaName, SETTINGS, showElement, type SettingsName } from '@systole/cib';
import type { Request, Response } from 'express';
import { ApiRevalidated } from '../http/revalidation.js';
import { ApiProblems } from '../openapi/responses.js';
import { schemaPath } from '../openapi/schema-path.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { ConfigurationReads, sendElement } from './configuration-reads.js';
import { ConfigurationWrites, elementIn } from './configuration-writes.js';
import { ReadConfigurationQuery, WriteConfigurationQuery } from './configuration.dto.js';
import { ApiPatchBody, patchIn } from './patch-body.js';

/** A part of the configuration that there is once: its path, and what it is called. */
interface Settings {
  readonly name: SettingsName;
  /** End of the names of its operations. */
  readonly operation: string;
  readonly title: string;
}

function settingsController({ name, operation, title }: Settings): Type<unknown> {
  const section = SETTINGS[name];
  const schema = { $ref: schemaPath(namedElementSchemaName(section)) };

  @ApiTags('configuration')
  @Controller(`v1/clusters/:cluster/configuration/${name}`)
  class SettingsController {
    constructor(
      private readonly reads: ConfigurationReads,
      private readonly writes: ConfigurationWrites,
    ) {}

    @Get()
    @ApiOperation({
      operationId: `get${operation}`,
      summary: `Get the ${title}`,
      description: 'Of now, or as of a version (`at`): names and values, or the full sets where there are several or some have rules.',
    })
    @ApiOkResponse({ content: { 'application/json': { schema }, 'application/xml': { schema: { type: 'string' } } } })
    @ApiRevalidated()
    @ApiProblems(400, 404, 406)
    async get(
      @Param('cluster') cluster: string,
      @Query() query: ReadConfigurationQuery,
      @Req() request: Request,
      @Res() response: Response,
    ): Promise<void> {
      const configuration = await this.reads.configuration({ cluster, at: query.at, response });
      const found = firstChildNamed(configuration, section) ?? element(section);
      sendElement(request, response, found, showElement(found));
    }

    @Put()
    @Write({
      operationId: `replace${operation}`,
      summary: `Replace the ${title}`,
      description: 'What is left out is gone: it counts by its default from then on.',
      restsOn: 'configuration',
    })
    @ApiConsumes('application/json', 'application/xml')
    @ApiBody({ required: true, schema })
    replace(
      @Param('cluster') cluster: string,
      @Query() query: WriteConfigurationQuery,
      @Body() body: unknown,
      @Asking() asking: AskedBy,
    ): Promise<WriteResultDto> {
      return this.writes.one({ cluster, query, ...asking }, { edit: 'replace', collection: name, ...elementIn(asking.request, body) });
    }

    @Patch()
    @Write({
      operationId: `patch${operation}`,
      summary: `Change the ${title} by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)`,
      description: 'What a merge patch names is set, or taken away with null; all else stays.',
      restsOn: 'configuration',
    })
    @ApiPatchBody()
    patch(
      @Param('cluster') cluster: string,
      @Query() query: WriteConfigurationQuery,
      @Body() body: unknown,
      @Asking() asking: AskedBy,
    ): Promise<WriteResultDto> {
      return this.writes.one({ cluster, query, ...asking }, { edit: 'patch', collection: name, patch: patchIn(asking.request, body) });
    }
  }
  return SettingsController;
}

/** The options of the cluster, and the defaults of resources and operations. */
export const SETTINGS_CONTROLLERS: readonly Type<unknown>[] = [
  settingsController({ name: 'properties', operation: 'Properties', title: 'options of the cluster' }),
  settingsController({ name: 'rsc-defaults', operation: 'RscDefaults', title: 'defaults of resources' }),
  settingsController({ name: 'op-defaults', operation: 'OpDefaults', title: 'defaults of operations' }),
];
