import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ScheduleDto } from '../scheduling/schedule.dto.js';
import type { StepState } from './steps-of.js';

/** Of lines of a summary. */
export const STEPS = {
  type: String,
  isArray: true,
  enum: ['done', 'failed', 'open'],
  description:
    'Of one that ended before all was done: what became of each line of `summary`; `open`: nobody reported an end of it. Absent for others, and for very long ones.',
};

export class TransitionCountsDto {
  @ApiProperty({ type: 'integer', description: 'Without fencing, which `fencing` counts: the status counts both together.' })
  readonly actions!: number;
  @ApiProperty({ type: 'integer' }) readonly pseudo!: number;
  @ApiProperty({ type: 'integer' }) readonly fencing!: number;
}

export class TransitionOutcomeDto {
  @ApiProperty({ type: 'integer' }) readonly completed!: number;
  @ApiProperty({ type: 'integer' }) readonly skipped!: number;
  @ApiProperty({ type: 'integer' }) readonly failed!: number;
}

/** One transition: a plan and how it went. */
export class TransitionDto {
  @ApiProperty({ type: 'integer' }) readonly number!: number;
  @ApiProperty({ enum: ['running', 'aborting', 'complete', 'aborted'] }) readonly status!: string;
  @ApiProperty({ type: 'integer', description: 'Version of the cluster from which it was computed.' }) readonly inputVersion!: number;
  @ApiProperty({ type: 'integer', description: 'Version at which it was recorded.' }) readonly plannedVersion!: number;
  @ApiProperty({ type: 'integer', description: 'Effective time, epoch seconds.' }) readonly now!: number;
  @ApiProperty({ description: "sha256 of the graph's canonical JSON." }) readonly digest!: string;
  @ApiProperty({ format: 'date-time' }) readonly plannedAt!: string;
  @ApiPropertyOptional({ format: 'date-time' }) readonly endedAt?: string;
  @ApiProperty({ description: 'What made it necessary.' }) readonly trigger!: string;
  @ApiProperty({ type: TransitionCountsDto }) readonly counts!: TransitionCountsDto;
  @ApiProperty({ type: String, isArray: true, description: 'One line for each action: what and why.' })
  readonly summary!: readonly string[];
  @ApiPropertyOptional() readonly abortReason?: string;
  @ApiPropertyOptional({ type: TransitionOutcomeDto }) readonly outcome?: TransitionOutcomeDto;
}

export class ActionResultDto {
  @ApiProperty({ type: 'integer', description: "The action's id in the graph." }) readonly id!: number;
  @ApiProperty({ example: 'done' }) readonly status!: string;
  @ApiProperty({ type: 'integer' }) readonly rc!: number;
  @ApiProperty({ description: 'Whether it was as expected.' }) readonly ok!: boolean;
}

export class TransitionDetailDto extends TransitionDto {
  @ApiProperty({ type: Object, additionalProperties: true, description: 'The transition graph.' }) readonly graph!: object;
  @ApiPropertyOptional({ type: ScheduleDto }) readonly schedule?: ScheduleDto;
  @ApiPropertyOptional({ type: ActionResultDto, isArray: true, description: 'While it is current: the actions that have ended.' })
  readonly results?: readonly ActionResultDto[];
  @ApiPropertyOptional(STEPS) readonly steps?: readonly StepState[];
}

export class TransitionListDto {
  @ApiProperty({ type: TransitionDto, isArray: true }) readonly items!: readonly TransitionDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
}

export class ReplayDto {
  @ApiProperty({ description: 'As recorded when it was planned.' }) readonly digest!: string;
  @ApiProperty({ description: 'The scheduler that planned it, e.g. systole/0.1.0+2; with another one now, another graph may be right.' })
  readonly plannedBy!: string;
  @ApiProperty({ description: 'Of the graph computed now.' }) readonly recomputed!: string;
  @ApiProperty({ description: 'The scheduler that computed it now.' }) readonly recomputedBy!: string;
  @ApiProperty() readonly same!: boolean;
}
