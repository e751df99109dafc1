import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { OperationDigests, OperationStatus } from '@systole/cluster';
import { OPERATION_STATUSES } from '@systole/protocol';
import { ValidateIf, IsString, MaxLength } from 'class-validator';
import {
  ChoiceField,
  FlagField,
  ListField,
  NumberField,
  ObjectField,
  OpaqueField,
  TextField,
  TextListField,
  WholeField,
} from '../http/fields.js';

export class JoinBody {
  @TextField({ description: "The agent's version.", max: 64 }) readonly agentVersion!: string;
  @TextField({ description: 'Id of the node; the one in the configuration wins.', max: 255, optional: true }) readonly nodeId?: string;
  @TextField({ description: 'The node that the agent means to be: refused unless the token is for it.', max: 255, optional: true })
  readonly node?: string;
  @TextField({ description: 'Changes with each boot of the machine.', max: 255 }) readonly bootId!: string;
}

export class JoinAnswerDto {
  @ApiProperty({ format: 'uuid' }) readonly clusterId!: string;
  @ApiProperty() readonly clusterName!: string;
  @ApiProperty() readonly node!: string;
  @ApiProperty() readonly nodeId!: string;
  @ApiProperty({ type: 'integer', description: 'Goes with everything that the agent sends from now on.' }) readonly incarnation!: number;
  @ApiProperty({ type: 'integer', description: 'Length of the lease, ms.' }) readonly leaseMs!: number;
  @ApiProperty({ type: 'integer', description: 'Longest wait of a poll, ms.' }) readonly pollMs!: number;
}

export class IncarnationBody {
  @WholeField({ min: 1, description: 'As the join gave it.' }) readonly incarnation!: number;
}

export class PollBody extends IncarnationBody {
  @WholeField({ max: 3_600_000, description: 'How long to wait for something to do, ms; the server may answer earlier.' })
  readonly waitMs!: number;
  @TextListField({ max: 10_000, description: 'Ids of actions that were accepted and whose results are not acknowledged yet.' })
  readonly known!: readonly string[];
  @WholeField({
    min: 1,
    description:
      'Counts the polls of this incarnation up. Whoever sends it has one poll at a time and drops the answers of those that it gave up: what an ' +
      'earlier one was answered with and `known` does not name was never begun.',
    optional: true,
  })
  readonly seq?: number;
  @TextListField({ max: 10_000, description: 'History ids of what runs there, as far as the agent knows.', optional: true })
  readonly resources?: readonly string[];
}

export class ActionResourceBody {
  @TextField({ description: 'Instance name (OCF_RESOURCE_INSTANCE).', max: 255 }) readonly id!: string;
  @TextField({ description: 'Id in the history.', max: 255 }) readonly historyId!: string;
  @TextField({ description: 'Standard.', max: 64, example: 'ocf' }) readonly class!: string;
  @TextField({ description: 'Provider.', max: 255, optional: true }) readonly provider?: string;
  @TextField({ description: "Agent's name.", max: 255 }) readonly type!: string;
}

export class FenceResultBody {
  @TextField({ description: 'Id of the attempt.', max: 255 }) readonly fencingId!: string;
  @TextField({ description: 'Node that was to be fenced.', max: 255 }) readonly target!: string;
  @ChoiceField({ of: ['off', 'reboot', 'on'], description: 'What the device was told.' }) readonly action!: 'off' | 'reboot' | 'on';
  @TextField({ description: 'Resource id of the device.', max: 255 }) readonly deviceId!: string;
}

export class ResultBody {
  @TextField({ description: 'Unique for ever; sent again until it is acknowledged.', max: 255 }) readonly resultId!: string;
  @TextField({ description: 'As delivered.', max: 255 }) readonly actionId!: string;
  @TextField({ description: 'As delivered.', max: 255 }) readonly transitionKey!: string;
  @ObjectField({ description: 'As delivered.' }, () => ActionResourceBody) readonly resource!: ActionResourceBody;
  @TextField({ description: 'As delivered.', max: 64 }) readonly operation!: string;
  @WholeField({ description: 'As delivered.' }) readonly intervalMs!: number;
  @ChoiceField({ of: OPERATION_STATUSES, description: 'How the execution ended.' }) readonly status!: OperationStatus;
  @WholeField({ min: -1, max: 100_000, description: 'Return code.' }) readonly rc!: number;

  @ApiPropertyOptional({ type: String, maxLength: 4_096, description: "The agent program's reason." })
  @ValidateIf((_, value: unknown) => value !== undefined)
  @IsString({ message: 'must be a text' })
  @MaxLength(4_096, { message: 'must have at most 4096 characters' })
  readonly exitReason?: string;

  @WholeField({ description: 'Counts up per process of the agent.' }) readonly callId!: number;
  @NumberField({ description: 'Epoch seconds.' }) readonly startedAt!: number;
  @NumberField({ description: 'Duration, ms.' }) readonly execMs!: number;
  @NumberField({ description: 'How long it waited for its turn, ms.' }) readonly queueMs!: number;
  @TextField({ min: 0, max: 65_536, description: 'Last lines of its output.', optional: true }) readonly output?: string;
  @OpaqueField({ description: 'As delivered.', optional: true }) readonly digests?: OperationDigests;
  @FlagField({ description: 'A later run of a recurring operation.' }) readonly recurring!: boolean;
  @TextField({ description: 'Of a migration.', max: 255, optional: true }) readonly migrateSource?: string;
  @TextField({ description: 'Of a migration.', max: 255, optional: true }) readonly migrateTarget?: string;
  @ObjectField({ description: 'Of fencing.', optional: true }, () => FenceResultBody) readonly fence?: FenceResultBody;
}

export class ResultsBody extends IncarnationBody {
  @ListField({ max: 1_000, description: 'What ended.' }, () => ResultBody) readonly results!: readonly ResultBody[];
}

export class ResultsAnswerDto {
  @ApiProperty({ type: String, isArray: true, description: 'Ids of the results that are stored for good.' })
  readonly acknowledged!: readonly string[];
}

export class AttributeChangeBody {
  @TextField({ description: 'Name.', max: 255 }) readonly name!: string;

  @ApiProperty({ type: String, nullable: true, description: 'null removes it.' })
  @ValidateIf((_, value: unknown) => value !== null)
  @IsString({ message: 'must be a text or null' })
  @MaxLength(65_536, { message: 'must have at most 65536 characters' })
  readonly value!: string | null;

  @ChoiceField({ of: ['forever', 'reboot'], description: 'Until when.' }) readonly lifetime!: 'forever' | 'reboot';
  @TextField({ description: "Another node than the agent's own.", max: 255, optional: true }) readonly node?: string;
}

export class AttributesBody extends IncarnationBody {
  @ListField({ max: 1_000, description: 'In this order.' }, () => AttributeChangeBody) readonly changes!: readonly AttributeChangeBody[];
}

export class AgentFenceDto {
  @ApiProperty() readonly fencingId!: string;
  @ApiProperty() readonly target!: string;
  @ApiProperty({ enum: ['off', 'reboot', 'on'] }) readonly action!: string;
  @ApiProperty() readonly deviceId!: string;
  @ApiProperty({ description: 'Program name of the fence agent.' }) readonly agent!: string;
  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } }) readonly parameters!: object;
}

export class AgentActionDto {
  @ApiProperty({ description: 'Executed at most once, however often it is delivered.' }) readonly actionId!: string;
  @ApiProperty({ enum: ['operation', 'fence', 'cancel'] }) readonly kind!: string;
  @ApiProperty() readonly transitionKey!: string;
  @ApiProperty() readonly operation!: string;
  @ApiProperty({ type: 'integer' }) readonly intervalMs!: number;
  @ApiProperty({ type: 'integer' }) readonly timeoutMs!: number;
  @ApiPropertyOptional({ type: 'integer' }) readonly startDelayMs?: number;
  @ApiProperty({ type: 'integer' }) readonly expectedRc!: number;
  @ApiProperty({ type: ActionResourceBody }) readonly resource!: object;
  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } }) readonly parameters!: object;
  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } }) readonly meta!: object;
  @ApiPropertyOptional({ type: Object, additionalProperties: true }) readonly digests?: object;
  @ApiPropertyOptional({ type: 'integer', description: 'Time for a stop of the resource when the lease is lost. ms.' })
  readonly stopTimeoutMs?: number;
  @ApiPropertyOptional({ type: AgentFenceDto }) readonly fence?: object;
  @ApiPropertyOptional() readonly migrateSource?: string;
  @ApiPropertyOptional() readonly migrateTarget?: string;
}

export class PollAnswerDto {
  @ApiProperty({ type: 'integer', description: 'Length of the lease, counted by the agent from the moment at which it sent the poll. ms.' })
  readonly leaseMs!: number;
  @ApiProperty({ type: AgentActionDto, isArray: true }) readonly actions!: readonly object[];
  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description: 'History ids of what the agent must leave alone when it loses its lease (maintenance, not managed). Absent: nothing.',
  })
  readonly unmanaged?: readonly string[];
  @ApiPropertyOptional({ description: 'The shutdown that the agent asked for is complete: it may leave.' }) readonly shutdown?: boolean;
}
