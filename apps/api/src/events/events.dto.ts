import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ClusterEvent } from '@systole/cluster';
import type { RecordedEvent } from '@systole/event-store';
import { PageQuery } from '../clusters/clusters.dto.js';
import { EVENT_TYPES } from './event-types.js';
import { ChoiceField, MomentParameter, TextField, TextListParameter, WholeParameter } from '../http/fields.js';

export class EventsQuery extends PageQuery {
  @TextListParameter({
    description: `One of these types; several separated by commas, or given several times. There are ${EVENT_TYPES.join(', ')}.`,
    max: 50,
    of: EVENT_TYPES,
    optional: true,
  })
  readonly type?: readonly string[];

  @TextField({ description: 'Concerns this resource, node, constraint or attribute.', max: 255, optional: true })
  readonly subject?: string;

  @TextField({ description: 'Who; e.g. `user:alice`, `agent:node1`, `worker`.', max: 255, optional: true })
  readonly actor?: string;

  @TextField({ description: 'What followed from one request: its X-Request-Id.', max: 255, optional: true })
  readonly correlation?: string;

  @MomentParameter({ description: 'At or after.', optional: true })
  readonly from?: string;

  @MomentParameter({ description: 'Before.', optional: true })
  readonly to?: string;

  @ChoiceField({ of: ['asc', 'desc'], description: 'Oldest first (`asc`, when left out) or newest first.', optional: true })
  readonly order?: 'asc' | 'desc';
}

export class EventStreamQuery {
  @WholeParameter({
    min: 0,
    description:
      'Events after this version; 0 for all. From now on when left out. The Last-Event-ID header, which clients send when they come back, wins.',
    optional: true,
  })
  readonly after?: number;
}

/** An event of a cluster. */
export class EventDto {
  @ApiProperty({ type: 'integer', description: "Its place in the cluster's stream; also the id in the event stream." })
  readonly version!: number;

  @ApiProperty({ type: 'integer', description: 'Its place among all events of the server.' })
  readonly globalPosition!: number;

  @ApiProperty({ example: 'OperationRecorded' })
  readonly type!: string;

  @ApiProperty({ type: Object, additionalProperties: true })
  readonly data!: object;

  @ApiProperty({ type: String, isArray: true, description: 'Resources, nodes, constraints that it concerns.' })
  readonly subjects!: readonly string[];

  @ApiProperty()
  readonly actor!: string;

  @ApiProperty()
  readonly command!: string;

  @ApiProperty()
  readonly correlationId!: string;

  @ApiPropertyOptional()
  readonly causationId?: string;

  @ApiProperty({ format: 'date-time' })
  readonly occurredAt!: string;

  @ApiProperty({ description: 'sha256 over the previous hash and this event, hexadecimal.' })
  readonly hash!: string;
}

export class EventListDto {
  @ApiProperty({ type: EventDto, isArray: true })
  readonly items!: readonly EventDto[];

  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' })
  readonly next?: string;
}

export function eventDto(recorded: RecordedEvent<ClusterEvent>): EventDto {
  const { version, globalPosition, type, data, subjects, actor, command, correlationId, causationId, occurredAt, hash } = recorded;
  return {
    version,
    globalPosition,
    type,
    data,
    subjects,
    actor,
    command,
    correlationId,
    ...(causationId === undefined ? {} : { causationId }),
    occurredAt,
    hash,
  };
}
