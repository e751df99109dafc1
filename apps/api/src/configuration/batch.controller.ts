import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ANY_EDIT, MOST_EDITS, readEdits, type ElementEdit } from '@systole/cib';
import { pointerToken } from '../http/carried-texts.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import { schemaPath } from '../openapi/schema-path.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { ConfigurationWrites } from './configuration-writes.js';
import { WriteConfigurationQuery } from './configuration.dto.js';

/** Many changes of a configuration as one. */
@ApiTags('configuration')
@Controller('v1/clusters/:cluster/configuration/batch')
export class BatchController {
  constructor(private readonly writes: ConfigurationWrites) {}

  @Post()
  @Write({
    operationId: 'editConfiguration',
    summary: 'Make several edits of the configuration, in their order, as one event or none',
    description: 'Each edit sees what those before it have done. The whole is validated once, with all edits made.',
    restsOn: 'configuration',
  })
  @ApiBody({
    required: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['edits'],
      properties: { edits: { type: 'array', minItems: 1, maxItems: MOST_EDITS, items: { $ref: schemaPath(ANY_EDIT) } } },
    },
  })
  edit(
    @Param('cluster') cluster: string,
    @Query() query: WriteConfigurationQuery,
    @Body() body: unknown,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.writes.all({ cluster, query, ...asking }, editsIn(body));
  }
}

/** @throws {HttpProblem} 422 naming all that is not as it has to be */
function editsIn(body: unknown): readonly ElementEdit[] {
  const fields =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? new Map<string, unknown>(Object.entries(body)) : undefined;
  if (fields === undefined) throw refusal([{ pointer: '', detail: 'must be an object' }]);
  const unknown = [...fields.keys()].filter((name) => name !== 'edits');
  const reading = readEdits(fields.get('edits'), '/edits');
  const faults = [
    ...unknown.map((name) => ({ pointer: `/${pointerToken(name)}`, detail: 'is not known here' })),
    ...(reading.ok ? [] : reading.findings.map(({ pointer, message }) => ({ pointer, detail: message }))),
  ];
  if (!reading.ok || faults.length > 0) throw refusal(faults);
  return reading.edits;
}

function refusal(errors: readonly ProblemIssue[]): HttpProblem {
  const { pointer = '', detail = 'is not valid' } = errors[0] ?? {};
  return new HttpProblem(422, 'invalid-request', `${pointer} ${detail}`.trim(), { errors });
}
