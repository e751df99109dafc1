import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AUDIT_TYPES } from '@systole/access';
import { PageQuery } from '../http/page-query.js';
import { EVENT_TYPES } from '../events/event-types.js';
import { ChoiceField, FlagField, FlagParameter, TextField, TextListField, WholeField } from '../http/fields.js';
import { ReasonField } from '../writes/reason-body.js';

const TYPES = [...AUDIT_TYPES, ...EVENT_TYPES];
const SEVERITIES = ['any', 'wrong'] as const;
const NAME = {
  description: 'What it is called: unique.',
  max: 64,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._@-]*$/,
  patternSays: 'must consist of A-Z a-z 0-9 . _ @ - and begin with a letter or digit',
  example: 'on-call',
};
const URL_OF_RECEIVER = {
  description: 'Where messages are posted to: https:// or http://, without a user or password. Redirects are not followed.',
  max: 2_048,
  example: 'https://hooks.example/systole',
};
const CLUSTERS = { description: 'Ids or names of the clusters whose events are sent; empty: of all that there are and will be.', max: 100 };
const AUDIT = { description: "Whether entries of the server's own audit are sent, too." };
const SUBJECTS = {
  description:
    'What events have to concern, all of them, as `subject` of the list of events takes it (`resource:db`, `node:n1`, or a bare name), without what a resource stands in; empty: anything.',
  max: 8,
};
const ACTOR = { description: 'Only what this one did, e.g. `user:alice`; empty: anybody.', min: 0, max: 255 };
const SEVERITY = {
  of: SEVERITIES,
  description:
    '`wrong`: only what tells of something wrong: failed operations, lost nodes, fencing that failed, lost quorum, refused requests.',
};
const AUTHORITIES = {
  description:
    'PEM of the authorities by which the receiver of an https:// URL is verified, instead of those that are usually trusted; empty: those.',
  min: 0,
  max: 65_536,
};
const AFTER = 'Global position of the event after which it begins';

export class CreateWebhookBody {
  @TextField(NAME)
  readonly name!: string;

  @TextField(URL_OF_RECEIVER)
  readonly url!: string;

  @TextListField({ ...CLUSTERS, optional: true })
  readonly clusters?: readonly string[];

  @FlagField({ ...AUDIT, optional: true })
  readonly audit?: boolean;

  @TextListField({ description: 'Types of events; empty: all.', max: 60, of: TYPES, optional: true })
  readonly types?: readonly string[];

  @TextListField({ ...SUBJECTS, optional: true })
  readonly subjects?: readonly string[];

  @TextField({ ...ACTOR, optional: true })
  readonly actor?: string;

  @ChoiceField({ ...SEVERITY, optional: true })
  readonly severity?: (typeof SEVERITIES)[number];

  @TextField({ ...AUTHORITIES, optional: true })
  readonly authorities?: string;

  @FlagField({ description: 'Whether it is delivered to; true when left out.', optional: true })
  readonly enabled?: boolean;

  @WholeField({ description: `${AFTER}; 0: from the first. From now on when left out.`, optional: true })
  readonly after?: number;

  @ReasonField('audit')
  readonly reason?: string;
}

/** What is left out stays as it is. */
export class ChangeWebhookBody {
  @TextField({ ...NAME, optional: true })
  readonly name?: string;

  @TextField({ ...URL_OF_RECEIVER, optional: true })
  readonly url?: string;

  @TextListField({ ...CLUSTERS, optional: true })
  readonly clusters?: readonly string[];

  @FlagField({ ...AUDIT, optional: true })
  readonly audit?: boolean;

  @TextListField({ description: 'Types of events; empty: all.', max: 60, of: TYPES, optional: true })
  readonly types?: readonly string[];

  @TextListField({ ...SUBJECTS, optional: true })
  readonly subjects?: readonly string[];

  @TextField({ ...ACTOR, optional: true })
  readonly actor?: string;

  @ChoiceField({ ...SEVERITY, optional: true })
  readonly severity?: (typeof SEVERITIES)[number];

  @TextField({ ...AUTHORITIES, optional: true })
  readonly authorities?: string;

  @FlagField({
    description: 'Whether it is delivered to. One that is enabled again goes on where it was: what happened meanwhile is sent.',
    optional: true,
  })
  readonly enabled?: boolean;

  @WholeField({
    description: `${AFTER}, wherever it was: to pass over what can't be delivered, or to have something again.`,
    optional: true,
  })
  readonly after?: number;

  @ReasonField('audit')
  readonly reason?: string;
}

export class WebhookWriteQuery {
  @FlagParameter({ description: 'Change nothing; answer with the webhook that it would be.', optional: true })
  readonly dryRun?: boolean;
}

export class WebhookAskQuery {
  @FlagParameter({ description: 'Send nothing; only say whether it could be asked for.', optional: true })
  readonly dryRun?: boolean;
}

export class DeleteWebhookQuery extends WebhookWriteQuery {
  @ReasonField('audit')
  readonly reason?: string;
}

export class WebhookPageQuery extends PageQuery {}

/** What of a webhook is chosen. */
class ChosenDto {
  @ApiProperty({ description: 'What it is called.' }) readonly name!: string;
  @ApiProperty({ description: 'Where messages are posted to.' }) readonly url!: string;
  @ApiPropertyOptional({ type: String, isArray: true, description: 'Ids of the clusters whose events are sent; absent: of all.' })
  readonly clusters?: readonly string[];
  @ApiProperty(AUDIT) readonly audit!: boolean;
  @ApiPropertyOptional({ type: String, isArray: true, description: 'Types of events; absent: all.' }) readonly types?: readonly string[];
  @ApiPropertyOptional({ type: String, isArray: true, description: 'What events have to concern; absent: anything.' })
  readonly subjects?: readonly string[];
  @ApiPropertyOptional({ description: 'Whose doing events have to be; absent: anybody.' }) readonly actor?: string;
  @ApiProperty({ enum: SEVERITIES, description: SEVERITY.description }) readonly severity!: string;
  @ApiPropertyOptional({ description: 'PEM of the authorities by which the receiver is verified; absent: those that are usually trusted.' })
  readonly authorities?: string;
  @ApiProperty({ description: 'Whether it is delivered to.' }) readonly enabled!: boolean;
}

/** What a dry run says: the webhook as it would be, or that was to be deleted. */
export class WebhookPreviewDto extends ChosenDto {
  @ApiProperty({ enum: [true], description: 'It was only tried: nothing was changed.' }) readonly dryRun!: true;
}

class WebhookBehindDto {
  @ApiProperty({ type: 'integer', description: 'Events that are for it and were not delivered yet, as far as it was looked.' })
  readonly events!: number;
  @ApiProperty({ description: 'It was not looked up to the end of the log: there may be more.' }) readonly more!: boolean;
  @ApiProperty({ type: 'integer', description: 'Age of the oldest of these events, ms; 0: there is none.' }) readonly ms!: number;
}

export class WebhookDto extends ChosenDto {
  @ApiProperty({ format: 'uuid', description: 'Of the webhook.' }) readonly id!: string;
  @ApiProperty({
    enum: ['delivering', 'failing', 'disabled'],
    description: '`failing`: the next event could not be delivered yet, and is tried again.',
  })
  readonly state!: string;
  @ApiPropertyOptional({ description: 'Why the server disabled it; absent where a person did.' }) readonly disabledReason?: string;
  @ApiProperty({ type: 'integer', description: 'Global position of the event up to which everything is done.' })
  readonly position!: number;
  @ApiPropertyOptional({
    type: WebhookBehindDto,
    description:
      'How far it is behind the log; absent where the log has not the place that it has got to, and from the answers to writes. Of one that is disabled: what it would have to catch up with.',
  })
  readonly behind?: WebhookBehindDto;
  @ApiProperty({ type: 'integer', description: 'How often the next event was tried in vain.' }) readonly attempts!: number;
  @ApiPropertyOptional({ format: 'date-time', description: 'When it is tried again; absent: nothing failed.' })
  readonly nextAttemptAt?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Since when nothing could be delivered.' }) readonly failingSince?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'When an event was delivered last.' }) readonly deliveredAt?: string;
  @ApiPropertyOptional({ description: 'What went wrong with the last attempt; absent: nothing.' }) readonly lastError?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Until when the secret before the present one signs, too.' })
  readonly previousSecretUntil?: string;
  @ApiProperty({ description: 'Who made it.' }) readonly createdBy!: string;
  @ApiProperty({ format: 'date-time', description: 'When it was made.' }) readonly createdAt!: string;
}

export class WebhookWithSecretDto extends WebhookDto {
  @ApiPropertyOptional({
    description:
      'With which its messages are signed (Standard Webhooks, `whsec_…`); shown this once. Absent from the answer to a repeated request.',
  })
  readonly secret?: string;
}

export class WebhookListDto {
  @ApiProperty({ type: WebhookDto, isArray: true, description: 'In the order of their names.' }) readonly items!: readonly WebhookDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
}

/** An attempt to deliver something. */
export class WebhookDeliveryDto {
  @ApiProperty({ format: 'uuid', description: 'Of the delivery.' }) readonly id!: string;
  @ApiProperty({ enum: ['event', 'test', 'redelivery'], description: '`event`: as it came; the others somebody asked for.' })
  readonly kind!: string;
  @ApiProperty({ enum: ['waiting', 'delivered', 'failed'], description: '`waiting`: a worker is to make it.' }) readonly outcome!: string;
  @ApiPropertyOptional({ description: '`webhook-id` of the message: the same for each attempt with one event.' })
  readonly messageId?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Global position of the event.' }) readonly position?: number;
  @ApiPropertyOptional({ description: 'Stream of the event.' }) readonly streamId?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Its version there.' }) readonly version?: number;
  @ApiPropertyOptional({ description: 'Its type.' }) readonly eventType?: string;
  @ApiProperty({ type: 'integer', description: 'The how manieth attempt with this event in a row it was; 0: none yet.' })
  readonly attempt!: number;
  @ApiPropertyOptional({ type: 'integer', description: 'Status of the answer; absent: there was none.' }) readonly status?: number;
  @ApiPropertyOptional({ description: 'What went wrong.' }) readonly error?: string;
  @ApiPropertyOptional({ description: "Beginning of the answer's body." }) readonly answer?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'How long it took, ms.' }) readonly durationMs?: number;
  @ApiProperty({ format: 'date-time', description: 'When it was made, or asked for.' }) readonly at!: string;
}

export class WebhookDeliveryListDto {
  @ApiProperty({ type: WebhookDeliveryDto, isArray: true, description: 'Newest first.' }) readonly items!: readonly WebhookDeliveryDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
}

/** What a dry run of a test or redelivery says. */
export class WebhookAskPreviewDto {
  @ApiProperty({ enum: [true], description: 'It was only tried: nothing was changed.' }) readonly dryRun!: true;
}
