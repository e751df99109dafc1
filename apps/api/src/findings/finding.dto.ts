import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FINDING_KINDS, type FindingKind } from '@systole/cib';

export const FINDING_LEVELS = ['error', 'warning'] as const;

/** Something of a configuration that is valid and does not do what it seems to say. */
export class FindingDto {
  @ApiProperty({
    enum: FINDING_KINDS,
    description: 'What kind of finding; `not-done`: Systole keeps it, and does nothing of the kind.',
  })
  readonly kind!: FindingKind;

  @ApiProperty({
    enum: FINDING_LEVELS,
    description: '`error`: surely not meant, so that a write that brings it in is refused unless it is forced; `warning`: it may be meant.',
  })
  readonly level!: (typeof FINDING_LEVELS)[number];

  @ApiProperty({ description: 'What it is of: a resource (and its operation), a node, or a section.', example: 'db, operation monitor' })
  readonly subject!: string;

  @ApiProperty({
    description: 'Of the XML element, with ids.',
    example: "/cib/configuration/resources/primitive[@id='db']/meta_attributes[@id='db-meta']/nvpair[@id='db-role']",
  })
  readonly path!: string;

  @ApiProperty({ description: 'Name of the XML element there.', example: 'nvpair' })
  readonly element!: string;

  @ApiPropertyOptional({ description: "The element's own id." })
  readonly id?: string;

  @ApiPropertyOptional({ description: 'The attribute of that element that is wrong, if it is one.', example: 'value' })
  readonly attribute?: string;

  @ApiProperty({ description: 'What is wrong, and what to do about it.' })
  readonly message!: string;

  @ApiProperty({ description: 'What counts as long as nobody mends it.', example: 'it has no effect' })
  readonly meanwhile!: string;

  @ApiPropertyOptional({ description: 'The known name or word that was most likely meant.', example: 'stonith-enabled' })
  readonly suggestion?: string;

  @ApiPropertyOptional({ description: 'In the answer to a write: it was not there before.' })
  readonly isNew?: true;
}

/** What was found in a configuration, as far as it is named. */
export class FindingsDto {
  @ApiProperty({ type: 'integer', description: 'How many there are.' })
  readonly count!: number;

  @ApiProperty({
    type: FindingDto,
    isArray: true,
    description: 'The first fifty: what is new before what was there, errors before warnings.',
  })
  readonly items!: readonly FindingDto[];
}
