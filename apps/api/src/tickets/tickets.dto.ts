import { ApiProperty } from '@nestjs/swagger';
import { TicketDto } from '../status/ticket.dto.js';

export class TicketListDto {
  @ApiProperty({ type: TicketDto, isArray: true, description: 'Tickets that constraints name, or of which something is known.' })
  readonly items!: readonly TicketDto[];
}
