import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UPGRADE_CHANGE_KINDS, type UpgradeChange } from '@systole/cib';
import type { DocumentUpgrade } from '@systole/cluster';

/** One thing that was changed to bring a document to the current schema. */
export class UpgradeChangeDto {
  @ApiProperty({
    enum: UPGRADE_CHANGE_KINDS,
    description:
      '`rewritten`: the same is said in the newer syntax; `dropped`: it is not said any more; `check`: what counts now may not be what was meant.',
  })
  readonly kind!: UpgradeChange['kind'];

  @ApiProperty({
    description: 'Of the XML element in the document as it was sent.',
    example: "/cib/configuration/constraints/rsc_order[@id='o1']",
  })
  readonly path!: string;

  @ApiProperty({ description: 'Name of the XML element.', example: 'rsc_order' })
  readonly element!: string;

  @ApiPropertyOptional({ description: "The element's own id; absent where it has none." })
  readonly id?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Line of its start tag in the document, from 1.' })
  readonly line?: number;

  @ApiProperty({ description: 'What was there, and what is there now; for people.', example: 'from is rsc now' })
  readonly message!: string;
}

/** What was changed to bring a document to the current schema, as far as it is named. */
export class UpgradeDto {
  @ApiProperty({ type: 'integer', description: 'How many changes there are.' })
  readonly count!: number;

  @ApiProperty({
    type: UpgradeChangeDto,
    isArray: true,
    description:
      'The first two hundred: what to check before what was dropped, what was rewritten last. `systole cib convert` shows them all.',
  })
  readonly items!: readonly UpgradeChangeDto[];
}

/** Nothing is said where nothing was changed. */
export function shownUpgrade({ count, changes }: DocumentUpgrade): { readonly upgrade?: UpgradeDto } {
  if (count === 0) return {};
  const items = changes.map(({ id, line, ...rest }) => ({
    ...rest,
    ...(id === undefined ? {} : { id }),
    ...(line === undefined ? {} : { line }),
  }));
  return { upgrade: { count, items } };
}
