import { ApiProperty } from '@nestjs/swagger';
import { PastQuery } from '../reads/past.query.js';
import { ChoiceField, TextField } from '../http/fields.js';
import { ReasonBody, ReasonField } from '../writes/reason-body.js';
import { WriteQuery } from '../writes/write.dto.js';

export class NodeAttributeDto {
  @ApiProperty({ description: 'Name of the attribute.' }) readonly name!: string;
  @ApiProperty({ description: 'Its value; any text, the empty one included.' }) readonly value!: string;
  @ApiProperty({ enum: ['forever', 'reboot'], description: '`forever`: in the configuration; `reboot`: until the node leaves.' })
  readonly lifetime!: 'forever' | 'reboot';
}

export class NodeAttributeListDto {
  @ApiProperty({ type: NodeAttributeDto, isArray: true, description: 'The attributes of the node, permanent and transient ones.' })
  readonly items!: readonly NodeAttributeDto[];
}

export class ReadNodeAttributeQuery extends PastQuery {
  @ChoiceField({
    of: ['forever', 'reboot'],
    description: 'Which of the two; when left out that which counts: until the reboot, where there is one, else the permanent one.',
    optional: true,
  })
  readonly lifetime?: 'forever' | 'reboot';
}

export class UtilizationDto {
  @ApiProperty({ example: 'cpu', description: 'What is used up.' }) readonly name!: string;
  @ApiProperty({ description: 'A whole number.', example: '4' }) readonly value!: string;
}

export class UtilizationListDto {
  @ApiProperty({ type: UtilizationDto, isArray: true, description: 'What the node has of each.' })
  readonly items!: readonly UtilizationDto[];
}

export class SetNodeAttributeBody extends ReasonBody {
  @TextField({ description: 'The value.', min: 0, max: 4_096 })
  readonly value!: string;

  @ChoiceField({
    of: ['forever', 'reboot'],
    description: '`forever` (when left out): in the configuration; `reboot`: until the node leaves.',
    optional: true,
  })
  readonly lifetime?: 'forever' | 'reboot';
}

export class SetUtilizationBody extends ReasonBody {
  @TextField({ description: 'A whole number from 0.', example: '4', max: 9 })
  readonly value!: string;
}

/** Of a write that has no body. */
export class ClearQuery extends WriteQuery {
  @ReasonField()
  readonly reason?: string;
}

export class ClearNodeAttributeQuery extends ClearQuery {
  @ChoiceField({ of: ['forever', 'reboot'], description: 'Which of the two; `forever` when left out.', optional: true })
  readonly lifetime?: 'forever' | 'reboot';
}
