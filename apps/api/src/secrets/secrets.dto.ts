import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '../http/page-query.js';
import { ChoiceField, FlagParameter } from '../http/fields.js';
import { SecretErasure } from './secret-erasure.js';
import { ReasonField } from '../writes/reason-body.js';

/** What `secrets=clear` does. */
export const CLEAR =
  'Show the values of secrets in the place of references to them, as far as the server keeps them. Needs the right to see secrets, and each read is in the audit.';

/** `secrets=clear`, in a query string. */
export function ClearParameter(): PropertyDecorator {
  return ChoiceField({ of: ['clear'], description: CLEAR, optional: true });
}

export class ListSecretsQuery extends PageQuery {}

export class ReadSecretQuery {
  @ClearParameter()
  readonly secrets?: 'clear';
}

export class EraseSecretQuery {
  @FlagParameter({ description: 'Change nothing; answer with what would be erased.', optional: true })
  readonly dryRun?: boolean;

  @ReasonField()
  readonly reason?: string;
}

/** A secret that the server keeps for a cluster, without its value. */
export class SecretDto {
  @ApiProperty({ description: 'References to it are `systole-secret:` and this id.', example: '0f343b0931126a20f133d67c2b018a3b' })
  readonly id!: string;

  @ApiProperty({ description: 'Id of the resource, template or alert that it was given for.', example: 'db' })
  readonly owner!: string;

  @ApiProperty({ description: 'Name of the parameter.', example: 'password' })
  readonly parameter!: string;

  @ApiProperty({ type: String, isArray: true, description: 'Agents that it is told to, and no others.', example: ['ocf:heartbeat:pgsql'] })
  readonly agents!: readonly string[];

  @ApiProperty({ format: 'date-time', description: 'When it was given.' })
  readonly createdAt!: string;

  @ApiProperty({ description: 'By whom.', example: 'user:alice' })
  readonly createdBy!: string;

  @ApiPropertyOptional({ type: SecretErasure, description: 'That its value was erased for good; absent: it was not.' })
  readonly erased?: SecretErasure;

  @ApiPropertyOptional({ description: "The server's keys do not open it; absent: they do, or it was erased." })
  readonly locked?: true;
}

/** A secret, and where it is used. */
export class SecretDetailsDto extends SecretDto {
  @ApiProperty({ type: String, isArray: true, description: 'Paths of the pairs that refer to it in the present configuration.' })
  readonly usedAt!: readonly string[];

  @ApiPropertyOptional({ description: 'Its value, for who may see it and asks for it (`secrets=clear`).' })
  readonly value?: string;
}

export class SecretListDto {
  @ApiProperty({ type: SecretDto, isArray: true, description: 'In the order in which they were given.' })
  readonly items!: readonly SecretDto[];

  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' })
  readonly next?: string;
}

/** What became of a secret that was to be erased. */
export class ErasedSecretDto {
  @ApiProperty({ description: 'Whether it was only tried.' })
  readonly dryRun!: boolean;

  @ApiProperty({ type: 'integer', description: "The cluster's version after it." })
  readonly version!: number;

  @ApiProperty({ type: SecretDto, description: 'What was erased.' })
  readonly erased!: SecretDto;

  @ApiProperty({
    type: String,
    isArray: true,
    description:
      'Paths of the pairs that refer to it still: what uses them fails when it is started the next time, until a value is given anew.',
  })
  readonly usedAt!: readonly string[];
}
