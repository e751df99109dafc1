import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { PageQuery } from '../http/page-query.js';
import { EventConditionsQuery } from '../events/events.dto.js';
import { FlagParameter, TextField, TextListParameter } from '../http/fields.js';
import { ScheduleDto } from '../scheduling/schedule.dto.js';
import type { StepState } from '../status/steps-of.js';
import { STEPS, TransitionOutcomeDto } from '../status/transition-outcome.dto.js';

const STATUSES = ['running', 'aborting', 'complete', 'aborted'] as const;

/** Which transitions are asked for: all conditions must hold. */
export class TransitionsQuery extends IntersectionType(PageQuery, PickType(EventConditionsQuery, ['since', 'until'] as const)) {
  @TextListParameter({
    description: 'In one of these states; several separated by commas.',
    max: STATUSES.length,
    of: STATUSES,
    optional: true,
  })
  readonly status?: readonly (typeof STATUSES)[number][];

  @FlagParameter({ description: '`true`: in which nodes were to be fenced; `false`: in which none was.', optional: true })
  readonly fencing?: boolean;

  @FlagParameter({
    description: '`true`: in which some action did not end as expected; `false`: in which none did so far.',
    optional: true,
  })
  readonly failed?: boolean;

  @TextField({
    description:
      'In which something was planned for this resource: a primitive, whatever the instance, or one that has others in it, for any of these in the present configuration.',
    max: 255,
    optional: true,
  })
  readonly resource?: string;

  @TextField({ description: 'In which something was planned on this node, or for it (fencing, shutdown).', max: 255, optional: true })
  readonly node?: string;
}

export class TransitionCountsDto {
  @ApiProperty({ type: 'integer', description: 'Without fencing, which `fencing` counts: the status counts both together.' })
  readonly actions!: number;
  @ApiProperty({ type: 'integer', description: 'Actions that nobody carries out: they order others.' }) readonly pseudo!: number;
  @ApiProperty({ type: 'integer', description: 'Nodes that are to be fenced.' }) readonly fencing!: number;
}

/** One transition: a plan and how it went. */
export class TransitionDto {
  @ApiProperty({ type: 'integer', description: 'Counts from 1 in each cluster.' }) readonly number!: number;
  @ApiProperty({
    enum: STATUSES,
    description: '`aborting`: nothing new is begun, what is under way is waited for; `aborted`: it ended before all was done.',
  })
  readonly status!: string;
  @ApiProperty({ type: 'integer', description: 'Version of the cluster from which it was computed.' }) readonly inputVersion!: number;
  @ApiProperty({ type: 'integer', description: 'Version at which it was recorded.' }) readonly plannedVersion!: number;
  @ApiProperty({ type: 'integer', description: 'Effective time, epoch seconds.' }) readonly now!: number;
  @ApiProperty({ description: "sha256 of the graph's canonical JSON." }) readonly digest!: string;
  @ApiProperty({ format: 'date-time', description: 'When it was recorded.' }) readonly plannedAt!: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'When it came to an end; absent while it runs.' }) readonly endedAt?: string;
  @ApiProperty({ description: 'What made it necessary.' }) readonly trigger!: string;
  @ApiProperty({ type: TransitionCountsDto, description: 'How many actions were planned.' }) readonly counts!: TransitionCountsDto;
  @ApiProperty({ type: String, isArray: true, description: 'One line for each action: what and why.' })
  readonly summary!: readonly string[];
  @ApiPropertyOptional({ description: 'Why it was ended before all was done; absent when it was not.' }) readonly abortReason?: string;
  @ApiPropertyOptional({
    type: TransitionOutcomeDto,
    description: 'How many actions were done, never begun and failed; absent while it runs.',
  })
  readonly outcome?: TransitionOutcomeDto;
}

export class ActionResultDto {
  @ApiProperty({ type: 'integer', description: "The action's id in the graph." }) readonly id!: number;
  @ApiProperty({ example: 'done', description: 'How the execution ended, whatever the agent answered, e.g. `timeout`.' })
  readonly status!: string;
  @ApiProperty({ type: 'integer', description: 'Return code (OCF): 0 is success, 7 not running.' }) readonly rc!: number;
  @ApiProperty({ description: 'Whether it was as expected.' }) readonly ok!: boolean;
}

export class TransitionDetailDto extends TransitionDto {
  @ApiProperty({ type: Object, additionalProperties: true, description: 'The transition graph.' }) readonly graph!: object;
  @ApiPropertyOptional({ type: ScheduleDto, description: 'What it was planned to bring about, computed again from the log.' })
  readonly schedule?: ScheduleDto;
  @ApiPropertyOptional({ type: ActionResultDto, isArray: true, description: 'While it is current: the actions that have ended.' })
  readonly results?: readonly ActionResultDto[];
  @ApiPropertyOptional(STEPS) readonly steps?: readonly StepState[];
}

export class TransitionListDto {
  @ApiProperty({ type: TransitionDto, isArray: true, description: 'The transitions of this page, in the order that was asked for.' })
  readonly items!: readonly TransitionDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
}

export class ReplayDto {
  @ApiProperty({ description: 'As recorded when it was planned.' }) readonly digest!: string;
  @ApiProperty({ description: 'The scheduler that planned it, e.g. systole/0.1.0+2; with another one now, another graph may be right.' })
  readonly plannedBy!: string;
  @ApiProperty({ description: 'Of the graph computed now.' }) readonly recomputed!: string;
  @ApiProperty({ description: 'The scheduler that computed it now.' }) readonly recomputedBy!: string;
  @ApiProperty({ description: 'Whether both digests are the same: the plan can be computed again from the log.' }) readonly same!: boolean;
}
