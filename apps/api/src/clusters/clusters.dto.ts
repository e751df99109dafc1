import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FindingsDto } from '../findings/finding.dto.js';
import { UpgradeDto } from '../writes/upgrade.dto.js';
import { FORCE, WriteQuery } from '../writes/write.dto.js';
import { FlagParameter, TextField } from '../http/fields.js';
import { ReasonField } from '../writes/reason-body.js';

/** What a cluster is called: its name, which is unique among the clusters there are. */
export class CreateClusterBody {
  @TextField({
    description: 'Name: letters, digits, `.`, `_`, `-`; begins with a letter or digit. Free again after the cluster is deleted.',
    max: 64,
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    patternSays: 'must consist of A-Z a-z 0-9 . _ - and begin with a letter or digit',
    example: 'production',
  })
  readonly name!: string;

  @TextField({
    description:
      'A CIB as XML, also of an older schema, or of the Heartbeat 2 generation; its status section is dropped. An empty one when left out.',
    max: 1024 * 1024,
    optional: true,
  })
  readonly cib?: string;

  @ReasonField()
  readonly reason?: string;
}

export class CreateClusterQuery {
  @FlagParameter({ description: 'Make nothing; answer with the events and the schedule that would follow.', optional: true })
  readonly dryRun?: boolean;

  @FlagParameter({ description: FORCE, optional: true })
  readonly force?: boolean;
}

export class DeleteClusterQuery extends WriteQuery {
  @FlagParameter({
    description:
      'Stop everything first: the cluster is deleted when nothing runs any more. Status says meanwhile what is waited for, and `cancel-deletion` calls it off. When left out, what runs keeps running.',
    optional: true,
  })
  readonly stop?: boolean;

  @ReasonField()
  readonly reason?: string;
}

export class CancelDeletionBody {
  @ReasonField()
  readonly reason?: string;
}

export class ClusterDto {
  @ApiProperty({ format: 'uuid', description: 'Stays the same for ever; a name can be given again after its cluster was deleted.' })
  readonly id!: string;

  @ApiProperty({ example: 'production', description: 'Its name, unique among the clusters there are.' })
  readonly name!: string;

  @ApiProperty({ type: 'integer', description: 'Version of its event stream; the ETag.' })
  readonly version!: number;

  @ApiProperty({ format: 'date-time', description: 'When it was made.' })
  readonly createdAt!: string;

  @ApiPropertyOptional({
    type: FindingsDto,
    description:
      'In the answer to its making: what of its configuration does not do what it seems to say, and what is accepted and not done; absent when there is nothing to say.',
  })
  readonly findings?: FindingsDto;

  @ApiPropertyOptional({
    type: UpgradeDto,
    description: 'In the answer to its making: what was changed to bring its document to the current schema; absent when nothing was.',
  })
  readonly upgrade?: UpgradeDto;
}

export class ClusterListDto {
  @ApiProperty({ type: ClusterDto, isArray: true, description: 'The clusters of this page, by name.' })
  readonly items!: readonly ClusterDto[];

  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' })
  readonly next?: string;

  @ApiPropertyOptional({ description: 'The list lacks clusters that the event log has: how many, and what to do. For people.' })
  readonly incomplete?: string;
}
