import { AUDIT_TYPES } from '@systole/access';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EventDto, EventConditionsQuery } from '../events/events.dto.js';
import { ChoiceField, FlagParameter, RepeatedParameter, TextField, TextListParameter, WholeParameter } from '../http/fields.js';
import { LOGGED_TYPES } from './logged-event.js';

/** Which entries are asked for: all conditions must hold. */
export class AuditFilterQuery extends EventConditionsQuery {
  @FlagParameter({
    description:
      "Also the events of all clusters, deleted ones included, and the statements that were signed of the log: everything that somebody did. When left out the server's own entries.",
    optional: true,
  })
  readonly everything?: boolean;

  @TextListParameter({
    description: `One of these types; several separated by commas, or given several times. The server's own are ${AUDIT_TYPES.join(', ')}; HeadsSigned and those of clusters are for \`everything\`.`,
    max: 50,
    of: LOGGED_TYPES,
    optional: true,
  })
  readonly type?: readonly string[];

  @TextField({ description: 'What concerns this cluster: its id or name, also of one that was deleted.', max: 255, optional: true })
  readonly cluster?: string;

  @RepeatedParameter({
    description: 'Names this: the id of a token, an address, a node, a resource; given several times, all of them.',
    max: 8,
    optional: true,
  })
  readonly subject?: readonly string[];
}

export class AuditQuery extends AuditFilterQuery {
  @WholeParameter({ min: 1, max: 1_000, description: 'Entries on a page; 100 when left out.', optional: true })
  readonly limit?: number;

  @TextField({ description: '`next` of the previous page, with the same conditions and order.', max: 400, optional: true })
  readonly cursor?: string;
}

export class AuditExportQuery extends AuditFilterQuery {
  @ChoiceField({
    of: ['ndjson', 'csv'],
    description: 'When left out the header Accept says it; NDJSON when that leaves it open.',
    optional: true,
  })
  readonly format?: 'ndjson' | 'csv';
}

/** An entry of the audit: of the server's own streams, or an event of a cluster. */
export class AuditEntryDto extends EventDto {
  @ApiProperty({
    description: "Where it stands: `server/audit`, `server/evidence` (statements that were signed), or a cluster's id.",
    example: 'server/audit',
  })
  readonly streamId!: string;

  @ApiProperty({
    enum: LOGGED_TYPES,
    description: 'What happened. Later versions have more: whoever does not know one passes it over.',
  })
  declare readonly type: string;

  @ApiPropertyOptional({ description: 'Name of the cluster whose event it is, also of one that was deleted.' })
  readonly clusterName?: string;
}

export class AuditListDto {
  @ApiProperty({ type: AuditEntryDto, isArray: true, description: 'The entries of this page, in the order that was asked for.' })
  readonly items!: readonly AuditEntryDto[];

  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' })
  readonly next?: string;
}
