import { Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiPropertyOptional,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { Waiting } from '../access/access.guard.js';
import { cibIn } from '../cib/cib-body.js';
import { CibElementDto } from '../cib/cib.dto.js';
import type { Caller } from '../computing/caller.js';
import { ExplanationDto, ExplanationQuery, selectionOf } from '../explanation/explanation.dto.js';
import { FlagParameter, WholeParameter } from '../http/fields.js';
import { HttpProblem } from '../http/problem.js';
import type { RawJson } from '../http/raw-json.js';
import { ApiProblems } from '../openapi/responses.js';
import { ScheduleDto } from '../scheduling/schedule.dto.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { WritesNothing } from '../writes/write.js';

export class SimulateQuery extends ExplanationQuery {
  @WholeParameter({ min: 1, description: 'Effective time, epoch seconds; the present when left out.', optional: true })
  readonly now?: number;

  @FlagParameter({ description: 'Also say why; the other parameters than `now` select what is explained.', optional: true })
  readonly explain?: boolean;
}

/** A schedule, and the explanation that was asked for. */
export class SimulationDto extends ScheduleDto {
  @ApiPropertyOptional({ type: ExplanationDto, description: 'With `explain`.' }) readonly explanation?: ExplanationDto;
}

/** What the scheduler would do with a CIB that belongs to no cluster here. */
@ApiTags('simulate')
@ApiExtraModels(CibElementDto)
@Controller('v1/simulate')
export class SimulateController {
  constructor(
    private readonly preview: SchedulePreview,
    private readonly clock: ClockWatch,
  ) {}

  @Post()
  @WritesNothing('plans for a CIB that it is sent')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'simulate',
    summary: 'Compute the schedule for a CIB; nothing is stored and nothing is done',
    description: 'As `crm_simulate` does: what would be done, where each resource would be, and with what scores.',
  })
  @ApiConsumes('application/xml', 'application/json')
  @ApiBody({
    required: true,
    description: 'A CIB with its status section, as XML, or the same as JSON (CibElementDto).',
    schema: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(CibElementDto) }] },
  })
  @ApiOkResponse({ type: SimulationDto })
  @ApiProblems(400, 404, 413, 415, 422, 429, 503)
  async simulate(@Query() query: SimulateQuery, @Waiting() caller: Caller, @Req() request: Request): Promise<RawJson> {
    const { now = Math.floor(this.clock.now() / 1_000), explain, ...selection } = query;
    const [idle] = explain === true ? [] : Object.entries<unknown>(selection).filter(([, value]) => value !== undefined);
    if (idle !== undefined) {
      const detail = 'selects what is explained: give explain=true with it';
      throw new HttpProblem(400, 'invalid-parameter', `${idle[0]} ${detail}`, { errors: [{ parameter: idle[0], detail }] });
    }
    return this.preview.answer(cibIn(request), now, caller, explain === true ? selectionOf(selection) : undefined);
  }
}
