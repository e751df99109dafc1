import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { epochVersion, type ChangeTicket, type ForgetTicket } from '@systole/cluster';
import type { Response } from 'express';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PastQuery } from '../reads/past.query.js';
import { ApiTagged, tagBy } from '../http/revalidation.js';
import { ApiProblems } from '../openapi/responses.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { TicketListDto } from './tickets.dto.js';
import { ticketsIn } from '../status/tickets-in.js';

/** Tickets: whether what depends on them may run in this cluster. */
@ApiTags('tickets')
@Controller('v1/clusters/:cluster/tickets')
export class TicketsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly writes: ClusterWrites,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listTickets',
    summary: 'List the tickets, also those that only constraints name',
    description: 'With whether each is granted, since when, and whether it is in standby.',
  })
  @ApiOkResponse({ type: TicketListDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async list(
    @Param('cluster') cluster: string,
    @Query() query: PastQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TicketListDto> {
    const { id } = await this.lookup.find(cluster);
    const { state } = await this.history.asked(id, query);
    tagBy(response, epochVersion(state));
    return { items: ticketsIn(state.cib) };
  }

  @Post(':ticket/commands/grant')
  @Write({
    operationId: 'grantTicket',
    summary: 'Grant a ticket: what depends on it may run here',
    description: 'Any ticket can be granted, also before a constraint depends on it. Whether another site has it nobody checks here.',
    body: { type: ReasonBody, required: false },
  })
  async grant(
    @Param('cluster') cluster: string,
    @Param('ticket') ticket: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#change({ granted: true }, { cluster, ticket, body }, { query, ...asking });
  }

  @Post(':ticket/commands/revoke')
  @Write({
    operationId: 'revokeTicket',
    summary: 'Revoke a ticket: what depends on it stops, as its constraint says',
    description:
      'The `loss-policy` of each constraint decides: what depends on the ticket is stopped or demoted, left as it is, or its nodes are fenced.',
    body: { type: ReasonBody, required: false },
  })
  async revoke(
    @Param('cluster') cluster: string,
    @Param('ticket') ticket: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#change({ granted: false }, { cluster, ticket, body }, { query, ...asking });
  }

  @Post(':ticket/commands/standby')
  @Write({
    operationId: 'standbyTicket',
    summary: 'Put a ticket in standby: what depends on it stops in good order',
    description: 'It stays granted; what depends on it is stopped in order before it is given to another site.',
    body: { type: ReasonBody, required: false },
  })
  async standby(
    @Param('cluster') cluster: string,
    @Param('ticket') ticket: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#change({ standby: true }, { cluster, ticket, body }, { query, ...asking });
  }

  @Post(':ticket/commands/unstandby')
  @Write({
    operationId: 'unstandbyTicket',
    summary: 'Take a ticket out of standby',
    description: 'What depends on it may run again, if it is granted.',
    body: { type: ReasonBody, required: false },
  })
  async unstandby(
    @Param('cluster') cluster: string,
    @Param('ticket') ticket: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#change({ standby: false }, { cluster, ticket, body }, { query, ...asking });
  }

  @Post(':ticket/commands/cleanup')
  @Write({
    operationId: 'cleanUpTicket',
    summary: 'Forget what is known of a ticket that is not granted',
    description:
      'When it was granted last, and whether it is in standby, is not known any more. Constraints that name it stay. Refused for one that is granted.',
    body: { type: ReasonBody, required: false },
  })
  async cleanUp(
    @Param('cluster') cluster: string,
    @Param('ticket') ticket: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write({ type: 'forget-ticket', ticket, ...because(body) }, cluster, { query, ...asking });
  }

  async #change(
    change: Pick<ChangeTicket, 'granted' | 'standby'>,
    { cluster, ticket, body }: { readonly cluster: string; readonly ticket: string; readonly body: ReasonBody },
    write: AskedWrite,
  ): Promise<WriteResultDto> {
    return this.#write({ type: 'change-ticket', ticket, ...change, ...because(body) }, cluster, write);
  }

  async #write(command: ChangeTicket | ForgetTicket, cluster: string, write: AskedWrite): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...write, clusterId, command, places: { '/ticket': { parameter: 'ticket' } } });
  }
}
