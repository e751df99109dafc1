import { Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Schedule } from '@systole/scheduler';
import type { Request } from 'express';
import { Needs } from '../access/access.guard.js';
import { cibIn } from '../cib/cib-body.js';
import { CibElementDto } from '../cib/cib.dto.js';
import { WholeParameter } from '../http/fields.js';
import { ApiProblems } from '../openapi/responses.js';
import { ScheduleDto } from '../scheduling/schedule.dto.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';

export class SimulateQuery {
  @WholeParameter({ min: 1, description: 'Effective time, epoch seconds; the present when left out.', optional: true })
  readonly now?: number;
}

/** What the scheduler would do with a CIB that belongs to no cluster here. */
@ApiTags('simulate')
@ApiExtraModels(CibElementDto)
@Controller('v1/simulate')
export class SimulateController {
  constructor(private readonly preview: SchedulePreview) {}

  @Post()
  @HttpCode(200)
  @Needs('viewer')
  @ApiOperation({ operationId: 'simulate', summary: 'Compute the schedule for a CIB; nothing is stored and nothing is done' })
  @ApiConsumes('application/xml', 'application/json')
  @ApiBody({
    required: true,
    description: 'A CIB with its status section, as XML, or the same as JSON (CibElementDto).',
    schema: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(CibElementDto) }] },
  })
  @ApiOkResponse({ type: ScheduleDto })
  @ApiProblems(400, 413, 415, 422)
  async simulate(@Query() query: SimulateQuery, @Req() request: Request): Promise<Schedule> {
    return this.preview.schedule(cibIn(request), query.now ?? Math.floor(Date.now() / 1_000), { scores: true });
  }
}
