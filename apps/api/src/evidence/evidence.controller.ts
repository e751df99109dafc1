import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { OperatorPrincipal } from '@systole/access';
import { openInstallation } from '@systole/control-plane-postgres';
import { EventStore, EVIDENCE_STREAM, evidenceLines, readStatements } from '@systole/event-store';
import type { Request, Response } from 'express';
import type { Pool } from 'pg';
import type { ClusterEvent } from '@systole/cluster';
import { Operator } from '../access/access.guard.js';
import { DATABASE } from '../api-settings.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { EventCursors } from '../events/event-cursors.js';
import { writeTexts } from '../events/event-export.js';
import { StreamPlaces } from '../events/stream-places.js';
import { clientGone } from '../http/request-context.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { ApiProblems } from '../openapi/responses.js';
import { placeOfStatement } from './statement-place.js';
import { EvidenceExportQuery, EvidenceHeadsQuery, SignedHeadsListDto } from './evidence.dto.js';

const DEFAULT_STATEMENTS = 20;
const NOTHING_SIGNED =
  'nothing was signed yet: make a key with `systole audit make-key FILE`, and give it to the workers as SYSTOLE_SIGNING_KEY_FILE';

/** What proves, elsewhere and later, that the log is as it was. */
@ApiTags('evidence')
@Controller('v1/evidence')
export class EvidenceController {
  constructor(
    @Inject(DATABASE) private readonly pool: Pool,
    private readonly store: EventStore<ClusterEvent>,
    private readonly lookup: ClusterLookup,
    private readonly places: StreamPlaces,
    private readonly shutdown: Shutdown,
  ) {}

  @Get('heads')
  @ApiOperation({
    operationId: 'listSignedHeads',
    summary: 'List the signed heads of the log',
    description:
      'Statements of which events were the newest of each stream, signed by a worker with an Ed25519 key, chained to one another. Whoever keeps them elsewhere can tell later whether the log lost its end or was written anew.',
  })
  @ApiOkResponse({ type: SignedHeadsListDto })
  @ApiProblems(400, 410)
  async heads(@Query() query: EvidenceHeadsQuery): Promise<SignedHeadsListDto> {
    const { limit = DEFAULT_STATEMENTS, order = 'desc' } = query;
    const after = query.after === undefined ? 0 : await placeOfStatement(this.pool, query.after);
    const cursors = new EventCursors('signed heads', query, 'desc');
    // The statement of a number is the event of that version.
    const at = query.cursor === undefined ? undefined : (await cursors.find(this.store, query.cursor, EVIDENCE_STREAM)).version;
    const place = order === 'asc' ? { afterNumber: at ?? after } : { beforeNumber: at ?? Number.MAX_SAFE_INTEGER };
    const read = (await readStatements(this.pool, { ...place, limit: limit + 1 })).filter(({ statement }) => statement.number > after);
    const items = read.slice(0, limit);
    const last = read.length > limit ? items.at(-1) : undefined;
    if (last !== undefined) return { items, next: await cursors.afterVersion(this.store, EVIDENCE_STREAM, last.statement.number) };
    return items.length === 0 && at === undefined && after === 0 ? { items, note: NOTHING_SIGNED } : { items };
  }

  @Get('export')
  @ApiOperation({
    operationId: 'exportEvidence',
    summary: 'Export the log with its hashes and signed heads, to be verified offline',
    description:
      'NDJSON: a header, each event as `{"hash", "event"}` with the text that its hash covers, stream after stream from the first event on, and an end. `systole audit verify` checks it without a server.',
  })
  @ApiOkResponse({ description: 'One JSON document a line.', content: { 'application/x-ndjson': { schema: { type: 'string' } } } })
  @ApiProblems(400, 404, 429, 503)
  async export(
    @Query() query: EvidenceExportQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const only: string[] = [];
    for (const cluster of query.cluster ?? []) only.push((await this.lookup.findEver(cluster, operator)).id);
    const { id: installation } = await openInstallation(this.pool);
    const isHead = request.method === 'HEAD';
    if (!isHead) this.places.take(operator.tokenId, response);
    response.status(200).set({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="systole-evidence.ndjson"',
      'cache-control': 'no-store',
    });
    if (isHead) {
      response.end();
      return;
    }
    const asked = { installation, exportedAt: new Date().toISOString(), ...(query.cluster === undefined ? {} : { only }) };
    await writeTexts(response, evidenceLines(this.pool, asked), [clientGone(response), this.shutdown.signal]);
  }
}
