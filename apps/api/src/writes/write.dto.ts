import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ClusterEvent } from '@systole/cluster';
import { FlagParameter, ChoiceField, WholeParameter } from '../http/fields.js';
import { FindingsDto } from '../findings/finding.dto.js';
import { EPOCH_MARK } from '../openapi/headers.js';
import type { RawJson } from '../http/raw-json.js';
import { ScheduleDto } from '../scheduling/schedule.dto.js';
import { FailureDto, TroubleDto } from '../status/status.dto.js';
import type { StepState } from '../status/steps-of.js';
import { STEPS, TransitionOutcomeDto } from '../status/transition-outcome.dto.js';
import { UpgradeDto } from './upgrade.dto.js';

/** What every write takes. */
export class WriteQuery {
  @FlagParameter({ description: 'Change nothing; answer with the changes and the schedule that would follow.', optional: true })
  readonly dryRun?: boolean;

  @ChoiceField({ of: ['settled'], description: 'Answer when the cluster has settled.', optional: true })
  readonly wait?: 'settled';

  @WholeParameter({
    min: 1,
    max: 600,
    description: 'With `wait`: seconds after which the answer comes all the same; 60 when left out.',
    optional: true,
  })
  readonly timeout?: number;
}

/** What a write takes that answers with what somebody said of it. */
export class TryQuery {
  @FlagParameter({ description: 'Do nothing; answer whether it would be refused.', optional: true })
  readonly dryRun?: boolean;

  @WholeParameter({
    min: 1,
    max: 600,
    description:
      'Seconds after which the answer comes all the same, and what was begun goes on; a little more than it may take when left out.',
    optional: true,
  })
  readonly timeout?: number;
}

/** What one of those takes after which the cluster looks at things anew. */
export class TryAndSettleQuery extends TryQuery {
  @ChoiceField({
    of: ['settled'],
    description:
      'Answer when the cluster has settled after it, within `timeout`, or 60 seconds; the answer has nothing of that (`settled`) as long as the operation goes on.',
    optional: true,
  })
  readonly wait?: 'settled';
}

/** What `force` does. */
export const FORCE =
  'Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out.';

/** What writes take that carry a configuration, or parts of one. */
export class ForceQuery extends WriteQuery {
  @FlagParameter({ description: FORCE, optional: true })
  readonly force?: boolean;
}

/** An event that a write makes. */
export class NewEventDto {
  @ApiProperty({ type: String, example: 'ConfigurationChanged', description: 'What happened, as in the event log.' })
  readonly type!: ClusterEvent['type'];

  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'Without the changes of the configuration, which stand in `changes`.',
  })
  readonly data!: object;
}

export class ElementChangeDto {
  @ApiProperty({ description: "The element's name; `configuration` for all of it.", example: 'primitive' })
  readonly kind!: string;

  @ApiProperty({ description: "The element's own id; empty for one that has none, and for the configuration as a whole." })
  readonly id!: string;

  @ApiProperty({ description: "Ids of the element's parents.", example: 'configuration/resources' })
  readonly path!: string;

  @ApiPropertyOptional({ description: 'XML before; absent for what is new.' })
  readonly before?: string;

  @ApiPropertyOptional({ description: 'XML after; absent for what is removed.' })
  readonly after?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Of what is new or was moved: its place among all children of its parent, from 0, when all changes are made. Absent where the place stays.',
  })
  readonly position?: number;
}

/** A transition that ran while the answer was waited for. */
export class SettlingTransitionDto {
  @ApiProperty({ type: 'integer', description: 'Counts from 1 in each cluster.' })
  readonly number!: number;

  @ApiProperty({
    enum: ['running', 'aborting', 'complete', 'aborted'],
    description: '`aborting`: nothing new is begun, what is under way is waited for; `aborted`: it ended before all was done.',
  })
  readonly status!: string;

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'What it was planned to do, one line for each action; `outcome` says how much of it was done.',
  })
  readonly summary!: readonly string[];

  @ApiPropertyOptional(STEPS)
  readonly steps?: readonly StepState[];

  @ApiPropertyOptional({
    type: TransitionOutcomeDto,
    description: 'How many actions were done, never begun and failed; absent while it runs.',
  })
  readonly outcome?: TransitionOutcomeDto;
}

export class SettledDto {
  @ApiProperty({
    enum: ['settled', 'failed', 'timed-out', 'interrupted', 'unknown'],
    description:
      '`failed`: the cluster has settled, and operations failed since the write (`failures`). `interrupted`: the write was made, and the wait was broken off before the cluster had settled or the time was up, since its caller had gone or the server ended; told to who asks again with the same Idempotency-Key, which waits for nothing: the status says what is so by now. `unknown`: the write was made, and what came of it could not be looked at; `waitingFor` says why.',
  })
  readonly outcome!: 'settled' | 'failed' | 'timed-out' | 'interrupted' | 'unknown';

  @ApiProperty({ type: 'integer', description: "The cluster's version then; with `unknown`, that after the write." })
  readonly version!: number;

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'What keeps the cluster from being settled, for people; empty when it is.',
  })
  readonly waitingFor!: readonly string[];

  @ApiProperty({ type: FailureDto, isArray: true, description: 'What failed since the write, 100 at most.' })
  readonly failures!: readonly FailureDto[];

  @ApiProperty({
    type: String,
    isArray: true,
    description:
      'Ids of the resources of `failures` that run nowhere then; when the cluster has settled also of what the write made, enabled, promoted, managed or moved: no node may run it, or its start waits.',
  })
  readonly notRunning!: readonly string[];

  @ApiPropertyOptional({ description: 'The cluster is deleted by then; absent when it is not.' })
  readonly deleted?: true;

  @ApiPropertyOptional({
    type: TroubleDto,
    isArray: true,
    description:
      'With `settled`: everything that is wrong then, the worst first, as in a status; a cluster that came to rest without quorum, or with failed operations, is settled and not well. Absent where that could not be looked at.',
  })
  readonly troubles?: readonly TroubleDto[];

  @ApiPropertyOptional({
    description:
      'Why the status of the cluster could not be looked at within the time, for people: `notRunning` is empty then whatever runs, `troubles` are absent, and `waitingFor` has only what is known without it. Absent where it was.',
    example: 'the status of the cluster was not computed in time',
  })
  readonly unseen?: string;

  @ApiProperty({
    type: SettlingTransitionDto,
    isArray: true,
    description: 'Those that ran between the write and the answer, in their order.',
  })
  readonly transitions!: readonly SettlingTransitionDto[];
}

/** What an agent said of an operation that a person had tried. */
export class TriedOperationDto {
  @ApiProperty({ description: 'Names it in the event log.' })
  readonly debugId!: string;

  @ApiProperty({
    enum: ['ended', 'running', 'never-begun', 'unknown'],
    description:
      '`running`: it goes on, or waits for its turn; DebugOperationEnded will say what came of it. `unknown`: the node was lost or its agent began anew meanwhile, and nobody knows how far it came; the resource is probed.',
  })
  readonly state!: 'ended' | 'running' | 'never-begun' | 'unknown';

  @ApiPropertyOptional({
    description: 'With `ended`: how the execution ended; `done`, or why it has no return code of its own.',
    example: 'done',
  })
  readonly status?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Return code of the resource agent.' })
  readonly rc?: number;

  @ApiPropertyOptional({ description: "The resource agent's reason." })
  readonly exitReason?: string;

  @ApiPropertyOptional({ description: 'The last 4,000 characters that it printed, to stdout and to stderr.' })
  readonly output?: string;

  @ApiPropertyOptional({ description: 'How long it took, ms.' })
  readonly execMs?: number;

  @ApiPropertyOptional({ description: 'How long it waited for its turn on the node, ms.' })
  readonly queueMs?: number;
}

/** The answer to a write. */
export class WriteResultDto {
  @ApiProperty({ description: 'Nothing was changed, only computed.' })
  readonly dryRun!: boolean;

  @ApiProperty({ type: 'integer', description: "The cluster's version after the write; of a dry run, the version that was judged." })
  readonly version!: number;

  @ApiPropertyOptional({ description: EPOCH_MARK })
  readonly epoch?: string;

  @ApiProperty({
    type: NewEventDto,
    isArray: true,
    description: 'What was (or would be) recorded; empty when everything is as wished already.',
  })
  readonly events!: readonly NewEventDto[];

  @ApiProperty({ type: ElementChangeDto, isArray: true, description: 'Changes of the configuration.' })
  readonly changes!: readonly ElementChangeDto[];

  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description: 'What the command may not have been meant to do, or does not do, for people; absent when there is nothing to say.',
  })
  readonly warnings?: readonly string[];

  @ApiPropertyOptional({
    type: FindingsDto,
    description:
      'Of a write of configuration: what of it does not do what it seems to say, and what is accepted and not done; absent when there is nothing to say.',
  })
  readonly findings?: FindingsDto;

  @ApiPropertyOptional({
    type: UpgradeDto,
    description: 'Of a write of a whole document: what was changed to bring it to the current schema; absent when nothing was.',
  })
  readonly upgrade?: UpgradeDto;

  @ApiPropertyOptional({ type: ScheduleDto, description: 'Of a dry run: the schedule that would follow.' })
  readonly schedule?: ScheduleDto | RawJson;

  @ApiPropertyOptional({ type: TriedOperationDto, description: 'Of a debug operation: what came of it.' })
  readonly tried?: TriedOperationDto;

  @ApiPropertyOptional({ type: SettledDto, description: 'With `wait=settled`.' })
  readonly settled?: SettledDto;
}
