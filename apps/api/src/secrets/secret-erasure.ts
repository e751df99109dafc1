import { ApiProperty } from '@nestjs/swagger';

/** That a secret's value was erased. */
export class SecretErasure {
  @ApiProperty({ format: 'date-time', description: 'When.' })
  readonly at!: string;

  @ApiProperty({ description: 'By whom.', example: 'user:alice' })
  readonly by!: string;
}
