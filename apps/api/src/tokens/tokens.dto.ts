import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LONGEST_NODE_NAME, NODE_NAME } from '@systole/cib';
import { ChoiceField, FlagField, FlagParameter, MomentParameter, TextField, TextListField } from '../http/fields.js';
import { ReasonField } from '../writes/reason-body.js';

export const ROLES = ['viewer', 'operator', 'admin', 'agent'] as const;

export class CreateTokenBody {
  @ChoiceField({ of: ROLES, description: 'What it may do; each of the first three includes those before it. `agent` is for one node.' })
  readonly role!: (typeof ROLES)[number];

  @TextField({
    description:
      'Who or what it is for; events name it. Of people and programs no two valid tokens have one name; agents are named by their node.',
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
    max: LONGEST_NODE_NAME,
    pattern: NODE_NAME,
    patternSays: 'must consist of A-Z a-z 0-9 . _ - and begin with a letter or digit',
    optional: true,
  })
  readonly node?: string;

  @TextListField({
    description:
      'Ids or names of the clusters that it is for; for all, and for the server itself, when left out. Not with the role `agent`.',
    max: 100,
    optional: true,
  })
  readonly clusters?: readonly string[];

  @FlagField({
    description:
      'Whether it may be shown secrets in configurations; false when left out. Whoever may not gives no such token. Not with the role `agent`.',
    optional: true,
  })
  readonly seesSecrets?: boolean;

  @MomentParameter({ description: 'When it ends by itself; never when left out. Not with the role `agent`.', optional: true })
  readonly expiresAt?: string;

  @ReasonField('audit')
  readonly reason?: string;
}

export class TokenWriteQuery {
  @FlagParameter({ description: 'Make or revoke nothing; answer with the token that it would be.', optional: true })
  readonly dryRun?: boolean;
}

export class RevokeTokenQuery extends TokenWriteQuery {
  @ReasonField('audit')
  readonly reason?: string;
}

export class TokenDto {
  @ApiProperty({ format: 'uuid', description: 'Its id, by which it is revoked; no secret.' }) readonly id!: string;
  @ApiProperty({ enum: ROLES, description: 'What it may do.' }) readonly role!: string;
  @ApiProperty({ description: 'Who or what it is for.' }) readonly name!: string;
  @ApiPropertyOptional({ format: 'uuid', description: 'With the role `agent`: id of its cluster; absent otherwise.' })
  readonly clusterId?: string;
  @ApiPropertyOptional({ description: 'With the role `agent`: name of its node; absent otherwise.' }) readonly node?: string;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'Ids of the clusters that it is for; absent: all, and the server itself.',
  })
  readonly clusters?: readonly string[];
  @ApiPropertyOptional({ description: 'Whether it may be shown secrets in configurations; absent for agents.' })
  readonly seesSecrets?: boolean;
  @ApiPropertyOptional({ format: 'date-time', description: 'When it ends by itself; absent: never.' }) readonly expiresAt?: string;
  @ApiProperty({ description: 'Who made it.' }) readonly createdBy!: string;
  @ApiProperty({ format: 'date-time', description: 'When it was made.' }) readonly createdAt!: string;
}

export class CreatedTokenDto extends TokenDto {
  @ApiPropertyOptional({ description: 'The token itself; shown this once. Absent from the answer to a repeated request.' })
  readonly secret?: string;
}

/** What a dry run says: the token that would be made or revoked, without what only making it gives. */
export class TokenPreviewDto {
  @ApiProperty({ enum: [true], description: 'Nothing was made or revoked.' }) readonly dryRun!: true;
  @ApiProperty({ enum: ROLES, description: 'What it may do.' }) readonly role!: string;
  @ApiProperty({ description: 'Who or what it is for.' }) readonly name!: string;
  @ApiPropertyOptional({ format: 'uuid', description: 'With the role `agent`: id of its cluster; absent otherwise.' })
  readonly clusterId?: string;
  @ApiPropertyOptional({ description: 'With the role `agent`: name of its node; absent otherwise.' }) readonly node?: string;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'Ids of the clusters that it is for; absent: all, and the server itself.',
  })
  readonly clusters?: readonly string[];
  @ApiPropertyOptional({ description: 'Whether it may be shown secrets in configurations; absent for agents.' })
  readonly seesSecrets?: boolean;
  @ApiPropertyOptional({ format: 'date-time', description: 'When it ends by itself; absent: never.' }) readonly expiresAt?: string;
}

export class TokenListDto {
  @ApiProperty({ type: TokenDto, isArray: true, description: 'The tokens of this page.' }) readonly items!: readonly TokenDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
}
