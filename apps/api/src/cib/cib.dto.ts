import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PastQuery } from '../reads/past.query.js';
import { ClearParameter } from '../secrets/secrets.dto.js';
import { ForceQuery } from '../writes/write.dto.js';
import { ReasonField } from '../writes/reason-body.js';

/** An element of a CIB as JSON: its name, its attributes, its children in order (elements, and comments as `{"comment": "…"}`). */
export class CibElementDto {
  @ApiProperty({ description: "The element's name.", example: 'cib' })
  readonly element!: string;

  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'string' },
    description: 'Its attributes by name, in the order of the document.',
  })
  readonly attributes!: Readonly<Record<string, string>>;

  @ApiPropertyOptional({
    type: 'array',
    description: 'Left out when there are none.',
    items: {
      oneOf: [
        { $ref: '#/components/schemas/CibElementDto' },
        { type: 'object', properties: { comment: { type: 'string', description: 'Text of a comment.' } }, required: ['comment'] },
      ],
    },
  })
  readonly children?: readonly object[];
}

export class ReadCibQuery extends PastQuery {
  @ClearParameter()
  readonly secrets?: 'clear';
}

export class ReplaceCibQuery extends ForceQuery {
  @ReasonField()
  readonly reason?: string;
}
