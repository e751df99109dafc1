import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Kinds of texts; those that hold another one (`or-default`) are told by that, with `default` among the accepted forms. */
export const TEXT_KINDS = [
  'boolean',
  'duration',
  'duration-or-auto',
  'duration-by-node',
  'integer',
  'count',
  'share',
  'percentage',
  'agent-writes',
  'select',
  'text',
  'amount-of-time',
  'date',
  'score',
] as const;

export class MetadataEntryDto {
  @ApiProperty({ description: 'As it is written in a configuration.' }) readonly name!: string;
  @ApiProperty({ enum: TEXT_KINDS, description: 'What kind of text it takes.' }) readonly kind!: (typeof TEXT_KINDS)[number];
  @ApiPropertyOptional({ type: [String], description: 'With `select`: the values that there are.' }) readonly allowed?: readonly string[];
  @ApiProperty({ description: 'What it takes, in words.' }) readonly accepts!: string;
  @ApiPropertyOptional({ description: 'What counts where it is not given; absent: nothing, or what others say decides.' })
  readonly default?: string;
  @ApiProperty({ description: 'What it does.' }) readonly meaning!: string;
  @ApiPropertyOptional({ description: 'What it does otherwise than in Pacemaker; absent: the same, or it is refused.' })
  readonly differs?: string;
  @ApiPropertyOptional({
    description:
      'Why a write that brings it in is refused, unless it is forced or asks for no more than what happens anyway; absent: it is not.',
  })
  readonly refused?: string;
  @ApiProperty({ type: [String], description: 'Older names: they count where the newer one is not given.' })
  readonly olderNames!: readonly string[];
}

export class ClusterOptionDto extends MetadataEntryDto {
  @ApiProperty({ description: 'Whether Systole alone knows it: Pacemaker takes no notice of it.' }) readonly own!: boolean;
  @ApiProperty({ description: 'Whether it can change a plan.' }) readonly scheduling!: boolean;
}

export class AttributeDto extends MetadataEntryDto {
  @ApiPropertyOptional({ type: [String], description: 'What it is read on; absent: all that it may be given to.' })
  readonly readOn?: readonly string[];
  @ApiPropertyOptional({ description: 'What counts while its text can not be read; absent: its text is not checked.' })
  readonly unreadable?: string;
}

export class ClusterOptionListDto {
  @ApiProperty({ type: [ClusterOptionDto], description: 'Every cluster option that is known.' })
  readonly items!: readonly ClusterOptionDto[];
}

export class AttributeListDto {
  @ApiProperty({ type: [AttributeDto], description: 'Every attribute that is known.' }) readonly items!: readonly AttributeDto[];
}
