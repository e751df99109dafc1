import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ANY_ELEMENT, COLLECTIONS, type showPlaced } from '@systole/cib';
import { PageQuery } from '../http/page-query.js';
import { WhenParameter } from '../reads/past.query.js';
import { FlagParameter, TextField, TextListParameter } from '../http/fields.js';
import { ClearParameter } from '../secrets/secrets.dto.js';
import { schemaPath } from '../openapi/schema-path.js';
import { ForceQuery } from '../writes/write.dto.js';
import { ReasonField } from '../writes/reason-body.js';

const AT = 'The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out.';
const KINDS: readonly string[] = Object.values(COLLECTIONS).flatMap(({ elements }): readonly string[] => elements);

export class ReadConfigurationQuery {
  @WhenParameter(AT)
  readonly at?: string;
}

/** Of what may hold secrets. */
export class ReadParametersQuery extends ReadConfigurationQuery {
  @ClearParameter()
  readonly secrets?: 'clear';
}

export class ListElementsQuery extends PageQuery {
  @ClearParameter()
  readonly secrets?: 'clear';

  @WhenParameter(AT)
  readonly at?: string;

  @TextListParameter({
    description: `Elements of these names only; several separated by commas, or given several times. There are ${KINDS.join(', ')}.`,
    max: KINDS.length,
    of: KINDS,
    optional: true,
  })
  readonly element?: readonly string[];
}

/** What every write of the configuration takes. */
export class WriteConfigurationQuery extends ForceQuery {
  @ReasonField()
  readonly reason?: string;
}

export class CreateElementQuery extends WriteConfigurationQuery {
  @TextField({ description: 'Id of the sibling that it goes before; at the end when left out.', max: 255, optional: true })
  readonly before?: string;

  @TextField({ description: 'Id of the sibling that it goes after.', max: 255, optional: true })
  readonly after?: string;
}

export class DeleteElementQuery extends WriteConfigurationQuery {
  @FlagParameter({
    description:
      'Take along what refers to it: constraints, references in sets and tags (and what that leaves empty), devices in fencing levels, primitives of a template. Refused when left out, as long as anything refers to it.',
    optional: true,
  })
  readonly cascade?: boolean;
}

export class MoveElementBody {
  @TextField({
    description:
      'Id of the group, clone or bundle that it becomes a member of. When left out: that of `before` or `after`; without these it goes out of what it is a member of, to the end of the section.',
    max: 255,
    optional: true,
  })
  readonly parent?: string;

  @TextField({ description: 'Id of the sibling that it goes before; at the end when left out.', max: 255, optional: true })
  readonly before?: string;

  @TextField({ description: 'Id of the sibling that it goes after.', max: 255, optional: true })
  readonly after?: string;
}

export class ElementListDto {
  @ApiProperty({
    type: 'array',
    items: { $ref: schemaPath(ANY_ELEMENT) },
    description: 'In the order of the document; of resources the members, too, each after what it is a member of.',
  })
  readonly items!: readonly ReturnType<typeof showPlaced>[];

  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' })
  readonly next?: string;
}
