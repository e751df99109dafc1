import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ALERT_RUN_OUTCOMES, type AlertRun, type AlertRunOutcome } from '@systole/control-plane-postgres';
import { ALERT_KINDS, type AlertKind } from '@systole/cib';
import { FlagParameter, TextField, TextListParameter } from '../http/fields.js';
import { PageQuery } from '../http/page-query.js';
import { ReasonBody } from '../writes/reason-body.js';

export class ListAlertRunsQuery extends PageQuery {
  @TextField({ description: 'Of this alert only.', max: 1_024, optional: true })
  readonly alert?: string;

  @TextListParameter({
    description: 'Those that stand so only; all when left out.',
    of: ALERT_RUN_OUTCOMES,
    max: ALERT_RUN_OUTCOMES.length,
    optional: true,
  })
  readonly outcome?: readonly AlertRunOutcome[];
}

export class TestAlertQuery {
  @FlagParameter({ description: 'Run nothing; only say whether it could be asked for.', optional: true })
  readonly dryRun?: boolean;
}

export class TestAlertBody extends ReasonBody {
  @TextField({ description: 'The node that runs it; the first one that is there when left out.', max: 255, optional: true })
  readonly node?: string;
}

/** A run of the program of an alert. */
export class AlertRunDto {
  @ApiProperty({ type: 'integer', description: 'Later ones have greater ids. Its program finds it as CRM_alert_node_sequence.' })
  readonly id!: number;
  @ApiProperty({ description: 'Id of the alert.' }) readonly alert!: string;
  @ApiPropertyOptional({ description: 'Id of the recipient; absent where the alert has none.' }) readonly recipient?: string;
  @ApiProperty({ description: 'The program.' }) readonly path!: string;
  @ApiProperty({ description: 'The node that runs it.' }) readonly node!: string;
  @ApiProperty({ enum: [...ALERT_KINDS], description: 'What it tells of.' }) readonly kind!: AlertKind;
  @ApiProperty({ type: 'integer', description: 'Version of the event that it tells of; of a test that of the cluster.' })
  readonly version!: number;
  @ApiProperty({ description: 'Whether somebody asked for it, and nothing has happened.' }) readonly test!: boolean;
  @ApiProperty({
    enum: [...ALERT_RUN_OUTCOMES],
    description:
      '`waiting`: its node has not taken it; `given`: it has; `done`: it exited with 0; `failed`: with something else, or by a signal; `timeout`: it was killed as its time was up; `not-run`: it was not begun, or nobody knows (`detail` says why).',
  })
  readonly outcome!: AlertRunOutcome;
  @ApiProperty({ format: 'date-time', description: 'When it was asked for.' }) readonly at!: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'When it was given to the node last.' }) readonly givenAt?: string;
  @ApiProperty({
    type: 'integer',
    description: 'How often it was given: more than once when an answer was lost, or the node agent ended meanwhile.',
  })
  readonly tries!: number;
  @ApiPropertyOptional({ format: 'date-time', description: 'When its end was told.' }) readonly endedAt?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Exit code.' }) readonly rc?: number;
  @ApiPropertyOptional({ description: 'What it printed last, or why it was not begun.' }) readonly detail?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'How long it took, ms.' }) readonly execMs?: number;
}

export class AlertRunListDto {
  @ApiProperty({ type: AlertRunDto, isArray: true, description: 'Newest first.' }) readonly items!: readonly AlertRunDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
  @ApiProperty({ type: 'integer', description: 'Runs of the last day that did not end well.' }) readonly failed!: number;
  @ApiProperty({ type: 'integer', description: 'Runs that were left out ever: too many waited for their node, or their news was too old.' })
  readonly dropped!: number;
  @ApiPropertyOptional({ format: 'date-time', description: 'When that was last; absent: never.' }) readonly droppedAt?: string;
}

/** Runs that were asked for, one for each recipient; none of a dry run. */
export class AlertTestDto {
  @ApiProperty({ description: 'Whether it was only tried.' }) readonly dryRun!: boolean;
  @ApiProperty({ type: AlertRunDto, isArray: true, description: 'How they stand now: see the list of runs for what comes of them.' })
  readonly runs!: readonly AlertRunDto[];
}

export function alertRunDto({ at, givenAt, endedAt, ...run }: AlertRun): AlertRunDto {
  return {
    ...run,
    at: at.toISOString(),
    ...(givenAt === undefined ? {} : { givenAt: givenAt.toISOString() }),
    ...(endedAt === undefined ? {} : { endedAt: endedAt.toISOString() }),
  };
}
