import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { OperatorPrincipal } from '@systole/access';
import { ClusterCatalog } from '@systole/read-models';
import type { Request, Response } from 'express';
import { Operator } from '../access/access.guard.js';
import { acceptedFormat, exportHeaders, inPages, writeEvents } from '../events/event-export.js';
import { StreamPlaces } from '../events/stream-places.js';
import { clientGone } from '../http/request-context.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { ApiProblems } from '../openapi/responses.js';
import { AuditEntries, auditEntryDto, auditTexts } from './audit-entries.js';
import { AuditExportQuery, AuditListDto, AuditQuery } from './audit.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';

/** Who did what, on the server and in all clusters. */
@ApiTags('audit')
@Controller('v1/audit')
export class AuditController {
  constructor(
    private readonly entries: AuditEntries,
    private readonly catalog: ClusterCatalog,
    private readonly places: StreamPlaces,
    private readonly shutdown: Shutdown,
    private readonly clock: ClockWatch,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listAudit',
    summary: "List the server's audit; with `everything`, what was done anywhere",
    description:
      'Clusters added and removed, tokens issued and withdrawn, changes that were carried out, refused requests, reads of configurations, starts and stops; in the order of their times, a page at a time. ' +
      'With `everything=true` the events of all clusters are among them: `?everything=true&actor=user:alice&since=1d` is all that alice did since yesterday.',
  })
  @ApiOkResponse({ type: AuditListDto })
  @ApiProblems(400, 410)
  async list(@Query() query: AuditQuery): Promise<AuditListDto> {
    const { items, ...rest } = await this.entries.page(query, this.clock.now());
    const names = await this.catalog.names();
    return { ...rest, items: items.map((entry) => auditEntryDto(entry, names)) };
  }

  @Get('export')
  @ApiOperation({
    operationId: 'exportAudit',
    summary: 'Export the audit (NDJSON or CSV)',
    description:
      'All entries that the filters let through, one a line, however many; an answer that was cut off is not complete. In CSV, what a spreadsheet would take for a formula has an apostrophe before it.',
  })
  @ApiOkResponse({
    description: 'AuditEntryDto as JSON, one a line; or CSV with a header.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } }, 'text/csv': { schema: { type: 'string' } } },
  })
  @ApiProblems(400, 406, 429, 503)
  async export(
    @Query() query: AuditExportQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const entries = await this.entries.read(query, this.clock.now());
    const texts = auditTexts(query.format ?? acceptedFormat(request), await this.catalog.names());
    const isHead = request.method === 'HEAD';
    if (!isHead) this.places.take(operator.tokenId, response);
    exportHeaders(response, 'audit', texts);
    if (isHead) response.end();
    else await writeEvents(response, inPages(entries), texts, [clientGone(response), this.shutdown.signal]);
  }
}
