import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { VERSION_OR_MOMENT, VERSION_OR_MOMENT_SAYS } from '../clusters/past-versions.js';
import { TextField, WholeParameter } from '../http/fields.js';
import { ForceQuery } from '../writes/write.dto.js';

/** An element of a CIB as JSON: its name, its attributes, its children in order (elements, and comments as `{"comment": "…"}`). */
export class CibElementDto {
  @ApiProperty({ description: "The element's name.", example: 'cib' })
  readonly element!: string;

  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } })
  readonly attributes!: Readonly<Record<string, string>>;

  @ApiPropertyOptional({
    type: 'array',
    description: 'Left out when there are none.',
    items: {
      oneOf: [
        { $ref: '#/components/schemas/CibElementDto' },
        { type: 'object', properties: { comment: { type: 'string' } }, required: ['comment'] },
      ],
    },
  })
  readonly children?: readonly object[];
}

export class ReadCibQuery {
  @WholeParameter({ min: 1, description: 'The CIB as it was at this version of the cluster; the newest when left out.', optional: true })
  readonly version?: number;

  @TextField({
    description: 'The CIB as it was at this version, date and time, or age, e.g. `2h`. Not together with `version`.',
    pattern: VERSION_OR_MOMENT,
    patternSays: VERSION_OR_MOMENT_SAYS,
    max: 40,
    optional: true,
  })
  readonly at?: string;
}

export class ReplaceCibQuery extends ForceQuery {
  @TextField({ description: 'Why; kept with the event.', max: 1_000, optional: true })
  readonly reason?: string;
}
