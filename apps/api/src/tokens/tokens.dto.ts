import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, FlagParameter, TextField } from '../http/fields.js';

export const ROLES = ['viewer', 'operator', 'admin', 'agent'] as const;

export class CreateTokenBody {
  @ChoiceField({ of: ROLES, description: 'What it may do; each of the first three includes those before it. `agent` is for one node.' })
  readonly role!: (typeof ROLES)[number];

  @TextField({
    description: 'Who or what it is for; events name it.',
    max: 64,
    pattern: /^[A-Za-z0-9][A-Za-z0-9._@-]*$/,
    patternSays: 'must consist of A-Z a-z 0-9 . _ @ - and begin with a letter or digit',
    example: 'alice',
  })
  readonly name!: string;

  @TextField({ description: 'With the role `agent`: id or name of its cluster.', max: 255, optional: true })
  readonly cluster?: string;

  @TextField({
    description: 'With the role `agent`: name of its node.',
    max: 64,
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    patternSays: 'must consist of A-Z a-z 0-9 . _ - and begin with a letter or digit',
    optional: true,
  })
  readonly node?: string;
}

export class TokenWriteQuery {
  @FlagParameter({ description: 'Make or revoke nothing; answer with the token that it would be.', optional: true })
  readonly dryRun?: boolean;
}

export class TokenDto {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: ROLES }) readonly role!: string;
  @ApiProperty() readonly name!: string;
  @ApiPropertyOptional({ format: 'uuid' }) readonly clusterId?: string;
  @ApiPropertyOptional() readonly node?: string;
  @ApiProperty() readonly createdBy!: string;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: string;
}

export class CreatedTokenDto extends TokenDto {
  @ApiPropertyOptional({ description: 'The token itself; shown this once. Absent from the answer to a repeated request.' })
  readonly secret?: string;
}

/** What a dry run says: the token that would be made or revoked, without what only making it gives. */
export class TokenPreviewDto {
  @ApiProperty({ enum: [true] }) readonly dryRun!: true;
  @ApiProperty({ enum: ROLES }) readonly role!: string;
  @ApiProperty() readonly name!: string;
  @ApiPropertyOptional({ format: 'uuid' }) readonly clusterId?: string;
  @ApiPropertyOptional() readonly node?: string;
}

export class TokenListDto {
  @ApiProperty({ type: TokenDto, isArray: true }) readonly items!: readonly TokenDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
}
