import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class TicketDto {
  @ApiProperty({ description: 'Its id, as constraints name it.' }) readonly id!: string;
  @ApiProperty({ description: 'What depends on it may run here.' }) readonly granted!: boolean;
  @ApiProperty({ description: 'What depends on it does not run, as if it were revoked, but in good order.' }) readonly standby!: boolean;
  @ApiPropertyOptional({ format: 'date-time', description: 'Absent when it never was.' }) readonly lastGranted?: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Further attributes, as the document had them that the cluster was made from. Absent when there are none.',
  })
  readonly attributes?: Readonly<Record<string, string>>;
  @ApiProperty({ type: String, isArray: true, description: 'Ids of the constraints that depend on it.' })
  readonly constraints!: readonly string[];
}
