import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ClusterEvent } from '@systole/cluster';
import type { RecordedEvent } from '@systole/event-store';
import { EVENT_TYPES } from './event-types.js';
import { ChoiceField, MomentParameter, RepeatedParameter, TextField, TextListParameter, WholeParameter } from '../http/fields.js';
import { MOMENT_OR_AGE } from './moments.js';
import { SUBJECT_KINDS } from './subject-filters.js';

/** Which events are asked for: all conditions must hold. */
export class EventFilterQuery {
  @TextListParameter({
    description: `One of these types; several separated by commas, or given several times. There are ${EVENT_TYPES.join(', ')}.`,
    max: 50,
    of: EVENT_TYPES,
    optional: true,
  })
  readonly type?: readonly string[];

  @RepeatedParameter({
    description:
      `Concerns this; given several times, all of them. A name alone finds every event that names it: a resource, a node, a constraint, an attribute. ` +
      `With its kind (${SUBJECT_KINDS.map((kind) => `\`${kind}:\``).join(', ')}) it finds what concerns the one of that kind; \`resource:db\` also what concerns what \`db\` ` +
      'stands in (its group, its clone) or has in it, in the present configuration, and what refers to it.',
    max: 8,
    optional: true,
  })
  readonly subject?: readonly string[];

  @TextField({ description: 'Who; e.g. `user:alice`, `agent:node1`, `worker`.', max: 255, optional: true })
  readonly actor?: string;

  @TextField({ description: 'By which command; e.g. `set-standby`.', max: 255, optional: true })
  readonly command?: string;

  @TextField({ description: 'What followed from one request: its X-Request-Id.', max: 255, optional: true })
  readonly correlation?: string;

  @TextField({ description: 'All of these words stand in the reason that was given, whatever their case.', max: 255, optional: true })
  readonly text?: string;

  @MomentParameter({ description: 'At or after.', optional: true })
  readonly from?: string;

  @MomentParameter({ description: 'Before.', optional: true })
  readonly to?: string;

  @TextField({
    description:
      'At or after: a date and time, or an age before now (`90s`, `15m`, `2h`, `7d`, `1w`). What counts is when the log dated the event, by the clock of the database; the ' +
      'dates of a cluster never go back, so after that clock was set back events bear the date of the one before until it has caught up.',
    pattern: MOMENT_OR_AGE,
    patternSays: 'must be a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h',
    max: 40,
    optional: true,
  })
  readonly since?: string;

  @TextField({
    description: 'Before: a date and time, or an age.',
    pattern: MOMENT_OR_AGE,
    patternSays: 'must be a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h',
    max: 40,
    optional: true,
  })
  readonly until?: string;

  @ChoiceField({ of: ['asc', 'desc'], description: 'Oldest first (`asc`, when left out) or newest first.', optional: true })
  readonly order?: 'asc' | 'desc';
}

export class EventsQuery extends EventFilterQuery {
  @WholeParameter({ min: 1, max: 1_000, description: 'Entries on a page; 100 when left out.', optional: true })
  readonly limit?: number;

  @TextField({ description: '`next` of the previous page.', max: 255, optional: true })
  readonly cursor?: string;
}

export class EventExportQuery extends EventFilterQuery {
  @ChoiceField({
    of: ['ndjson', 'csv'],
    description: 'When left out the header Accept says it; NDJSON when that leaves it open.',
    optional: true,
  })
  readonly format?: 'ndjson' | 'csv';
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

  @ApiProperty({
    enum: EVENT_TYPES,
    description: 'What happened. Later versions have more: whoever does not know one passes it over.',
  })
  readonly type!: string;

  @ApiProperty({ type: Object, additionalProperties: true, description: 'The particulars, as its type has them.' })
  readonly data!: object;

  @ApiProperty({ type: String, isArray: true, description: 'Resources, nodes, constraints that it concerns.' })
  readonly subjects!: readonly string[];

  @ApiProperty({ description: 'Who: `user:alice`, `agent:node1`, `worker`.', example: 'user:alice' })
  readonly actor!: string;

  @ApiProperty({ description: 'By which command.', example: 'set-standby' })
  readonly command!: string;

  @ApiProperty({ description: 'What it followed from: the X-Request-Id of the request.' })
  readonly correlationId!: string;

  @ApiPropertyOptional({ description: 'Which event it followed from; absent: none.' })
  readonly causationId?: string;

  @ApiProperty({ format: 'date-time', description: 'When the log dated it, by the clock of the database.' })
  readonly occurredAt!: string;

  @ApiProperty({ description: 'sha256 over the previous hash and this event, hexadecimal.' })
  readonly hash!: string;
}

export class EventListDto {
  @ApiProperty({ type: EventDto, isArray: true, description: 'The events of this page.' })
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
