import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RecordedEvent } from '@systole/event-store';
import { SUBJECT_KINDS } from '@systole/read-models';
import { EVENT_TYPES } from './event-types.js';
import { ChoiceField, MomentParameter, RepeatedParameter, TextField, TextListParameter, WholeParameter } from '../http/fields.js';
import { MOMENT_OR_AGE } from '../http/moments.js';

/** Conditions on events that need no time. */
export class EventWordsQuery {
  @TextField({ description: 'Who; e.g. `user:alice`, `agent:node1`, `worker`.', max: 255, optional: true })
  readonly actor?: string;

  @TextField({ description: 'By which command; e.g. `set-standby`.', max: 255, optional: true })
  readonly command?: string;

  @TextField({ description: 'What followed from one request: its X-Request-Id.', max: 255, optional: true })
  readonly correlation?: string;

  @TextField({ description: 'All of these words stand in the reason that was given, whatever their case.', max: 255, optional: true })
  readonly text?: string;
}

/** Conditions on events, whatever they are of. */
export class EventConditionsQuery extends EventWordsQuery {
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

const TYPE = {
  description: `One of these types; several separated by commas, or given several times. There are ${EVENT_TYPES.join(', ')}.`,
  max: 50,
  of: EVENT_TYPES,
  optional: true,
};

const SUBJECT = {
  description:
    `Concerns this; given several times, all of them. A name alone finds every event that names it: a resource, a node, a constraint, an operation, an attribute. ` +
    `With its kind (${SUBJECT_KINDS.map((kind) => `\`${kind}:\``).join(', ')}) it finds what concerns the one of that kind`,
  max: 8,
  optional: true,
};

const WITH_NEIGHBOURS =
  '; a resource, `db` or `resource:db`, also what concerns what it stands in (its group, its clone) or has in it, in the present configuration, and what refers to it; a node also changes of its entry there.';

/** Which events are asked for: all conditions must hold. */
export class EventFilterQuery extends EventConditionsQuery {
  @TextListParameter(TYPE)
  readonly type?: readonly string[];

  @RepeatedParameter({ ...SUBJECT, description: `${SUBJECT.description}${WITH_NEIGHBOURS}` })
  readonly subject?: readonly string[];
}

export class EventsQuery extends EventFilterQuery {
  @WholeParameter({ min: 1, max: 1_000, description: 'Entries on a page; 100 when left out.', optional: true })
  readonly limit?: number;

  @TextField({ description: '`next` of the previous page, with the same conditions and order.', max: 255, optional: true })
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

/** Which of the events that come are sent; what a resource stands in is that of when the stream was opened. */
export class EventStreamQuery extends EventWordsQuery {
  @TextListParameter(TYPE)
  readonly type?: readonly string[];

  @RepeatedParameter({
    ...SUBJECT,
    description: `${SUBJECT.description}${WITH_NEIGHBOURS} That is the configuration of when the stream was opened.`,
  })
  readonly subject?: readonly string[];

  @WholeParameter({
    min: 0,
    description:
      'Events after this version; 0 for all. From now on when left out. The Last-Event-ID header, which clients send when they come back, wins.',
    optional: true,
  })
  readonly after?: number;
}

/** Which events of all clusters are sent. */
export class AllEventsStreamQuery extends EventWordsQuery {
  @TextListParameter(TYPE)
  readonly type?: readonly string[];

  @RepeatedParameter({ ...SUBJECT, description: `${SUBJECT.description}, without what a resource stands in.` })
  readonly subject?: readonly string[];

  @RepeatedParameter({ description: 'Of this cluster: its id or name; given several times, of any of them.', max: 100, optional: true })
  readonly cluster?: readonly string[];

  @WholeParameter({
    min: 0,
    description:
      'Events after the one with this global position; 0 for all. From now on when left out. The Last-Event-ID header, which clients send when they come back, wins.',
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

export function eventDto(recorded: RecordedEvent): EventDto {
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
