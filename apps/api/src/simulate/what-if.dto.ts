import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ANY_EDIT, MOST_EDITS } from '@systole/cib';
import { MOST_PLANS } from '@systole/simulator';
import { FlagField, ForeignListField, ListField, TextField, TextListField, WholeField, WholeParameter } from '../http/fields.js';
import { WhenParameter } from '../reads/past.query.js';
import { schemaPath } from '../openapi/schema-path.js';
import { AffectedResourceDto } from '../resilience/resilience.dto.js';
import { NodeSummaryDto, ResourceSummaryDto } from '../scheduling/schedule.dto.js';

/** Of each kind, in one question. */
const MOST = 1_000;
const MOST_INTERVAL_MS = 2 ** 31 - 1;

export class WhatIfQuery {
  @WhenParameter('The cluster as it was at this version, date and time, or age, e.g. `2h`; as it is when left out.')
  readonly at?: string;

  @WholeParameter({
    min: 1,
    description: 'Effective time, epoch seconds: what rules and time-outs make of it. The present, or that of the version, when left out.',
    optional: true,
  })
  readonly now?: number;
}

/** A result of an operation on a node. */
export class SupposedResultBody {
  @TextField({ description: 'Id of a primitive.', max: 255, example: 'db' }) readonly resource!: string;
  @TextField({
    description: 'As in a configuration.',
    max: 32,
    pattern: /^(?:monitor|start|stop|promote|demote|notify|reload|reload-agent|migrate_to|migrate_from)$/,
    patternSays: 'must be an operation, such as monitor, start, stop, promote, demote, migrate_to, migrate_from',
    example: 'monitor',
  })
  readonly operation!: string;
  @WholeField({ description: 'Of a recurring monitor, ms; 0 when left out.', min: 0, max: MOST_INTERVAL_MS, optional: true })
  readonly intervalMs?: number;
  @TextField({ description: 'Name of the node.', max: 255 }) readonly node!: string;
  @WholeField({ description: 'Return code (OCF): 0 is success, 7 not running, 1 a failure of no special kind.', min: 0, max: 255 })
  readonly rc!: number;
}

/** What happens to a cluster. */
export class WhatIfBody {
  @ForeignListField(
    { description: 'Edits of the configuration, in their order, as in a batch.', max: MOST_EDITS, optional: true },
    schemaPath(ANY_EDIT),
  )
  readonly edits?: readonly unknown[];
  @TextListField({ description: 'Nodes that come online.', max: MOST, optional: true }) readonly nodesUp?: readonly string[];
  @TextListField({ description: 'Nodes that leave in peace.', max: MOST, optional: true }) readonly nodesDown?: readonly string[];
  @TextListField({ description: 'Nodes that are lost: they have to be fenced, where fencing is enabled.', max: MOST, optional: true })
  readonly nodesLost?: readonly string[];
  @FlagField({ description: 'Whether there is quorum; as it is when left out, whatever becomes of nodes.', optional: true })
  readonly quorum?: boolean;
  @TextListField({ description: 'Ids of tickets that are granted.', max: MOST, optional: true })
  readonly ticketsGranted?: readonly string[];
  @TextListField({ description: '… revoked.', max: MOST, optional: true }) readonly ticketsRevoked?: readonly string[];
  @TextListField({ description: '… set to standby.', max: MOST, optional: true }) readonly ticketsStandby?: readonly string[];
  @TextListField({ description: '… taken out of standby.', max: MOST, optional: true }) readonly ticketsActive?: readonly string[];
  @ListField({ description: 'Results that are reported before anything is planned.', max: MOST, optional: true }, () => SupposedResultBody)
  readonly results?: readonly SupposedResultBody[];
  @ListField(
    { description: 'How operations end each time that they are carried out; all others succeed.', max: MOST, optional: true },
    () => SupposedResultBody,
  )
  readonly failures?: readonly SupposedResultBody[];
}

export class FencedNodeDto {
  @ApiProperty({ enum: ['Fence', 'Shutdown'], description: '`Fence`: it is fenced; `Shutdown`: it leaves in order.' })
  readonly change!: string;
  @ApiPropertyOptional({ description: 'Of `Fence`.', example: 'reboot' }) readonly action?: string;
  @ApiProperty({ description: 'Name of the node.' }) readonly node!: string;
  @ApiProperty({ description: 'In the words of the scheduler.' }) readonly reason!: string;
}

export class SupposedChangeDto {
  @ApiProperty({
    enum: ['Start', 'Stop', 'Restart', 'Move', 'Recover', 'Reload', 'Migrate', 'Promote', 'Demote', 'Re-promote'],
    description: 'What is done with it.',
  })
  readonly change!: string;
  @ApiProperty({ description: 'Id of the primitive.' }) readonly resource!: string;
  @ApiPropertyOptional({ description: 'The node that it leaves, or stays on.' }) readonly from?: string;
  @ApiPropertyOptional({ description: 'The node where it will be.' }) readonly to?: string;
  @ApiProperty({ description: 'Its role before.' }) readonly role!: string;
  @ApiProperty({ description: 'Its role afterwards.' }) readonly nextRole!: string;
  @ApiPropertyOptional({ description: 'In the words of the scheduler.' }) readonly reason?: string;
  @ApiProperty({ description: 'What should happen can not.' }) readonly blocked!: boolean;
}

/** Something that is carried out in thought. */
export class StepDto {
  @ApiProperty({ example: 'start', description: 'What is done, as in a graph.' }) readonly operation!: string;
  @ApiProperty({ description: 'Name of the node on which it is done, or that is fenced.' }) readonly node!: string;
  @ApiPropertyOptional({ description: 'Id of the resource that it is of; absent of what is done to a node.' }) readonly resource?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Of a recurring monitor, ms.' }) readonly intervalMs?: number;
  @ApiPropertyOptional({ enum: [true], description: 'The node is fenced.' }) readonly fencing?: true;
  @ApiPropertyOptional({ type: 'integer', description: 'Return code, where it was made to fail.' }) readonly rc?: number;
}

export class SupposedPlanDto {
  @ApiProperty({ type: [FencedNodeDto], description: 'Nodes that are fenced, or leave.' }) readonly nodes!: readonly FencedNodeDto[];
  @ApiProperty({ type: [SupposedChangeDto], description: 'What changes with resources.' })
  readonly resources!: readonly SupposedChangeDto[];
  @ApiProperty({ type: [StepDto], description: 'In the order in which they are carried out.' }) readonly steps!: readonly StepDto[];
  @ApiProperty({ description: 'False when some action could never begin.' }) readonly complete!: boolean;
}

export class SupposedStatusDto {
  @ApiProperty({ type: [NodeSummaryDto], description: 'The nodes then.' }) readonly nodes!: readonly NodeSummaryDto[];
  @ApiProperty({ type: [ResourceSummaryDto], description: 'The resources then.' }) readonly resources!: readonly ResourceSummaryDto[];
}

export class WhatIfDto {
  @ApiProperty({ type: 'integer', description: 'Effective time, epoch seconds.' }) readonly now!: number;
  @ApiProperty({ type: SupposedStatusDto, description: 'Before anything happens; with what was edited.' })
  readonly before!: SupposedStatusDto;
  @ApiProperty({ type: [String], description: 'What happens, as it was understood, for people.' }) readonly happens!: readonly string[];
  @ApiProperty({
    type: [SupposedPlanDto],
    description: `What is planned and carried out, plan by plan, until the cluster rests; ${String(MOST_PLANS)} at most. None when nothing would be done.`,
  })
  readonly plans!: readonly SupposedPlanDto[];
  @ApiProperty({ description: 'Nothing is left to be done after them.' }) readonly rests!: boolean;
  @ApiProperty({ type: [AffectedResourceDto], description: 'What becomes of the resources that ran.' })
  readonly affected!: readonly AffectedResourceDto[];
  @ApiProperty({ type: SupposedStatusDto, description: 'After the last plan.' }) readonly after!: SupposedStatusDto;
}
