import { randomUUID } from 'node:crypto';
import { Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { toolCommand } from '@systole/control-plane';
import { parseOperatorToolRequest, schemaReference, type OperatorToolRequest } from '@systole/protocol';
import { AgentBody } from '../agent/agent-body.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { notCarried } from '../http/carried-texts.js';
import { HttpProblem } from '../http/problem.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { requireReadableReason } from '../writes/reason-text.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

const MOST_REASON_CHARS = 1_000;

/** What Pacemaker's command-line tools have written by an operator's token. */
@ApiTags('clusters')
@Controller('v1/clusters/:cluster/commands')
export class ToolRequestsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
    private readonly clock: ClockWatch,
  ) {}

  @Post('tool-request')
  @Write({
    operationId: 'requestByTool',
    summary: "Write what one of Pacemaker's command-line tools asks for",
    description:
      'In the words in which tools on nodes ask by the token of an agent (`/v1/agent/tool-requests`), and with the same checks as the other commands and edits. What is changed is found when it is changed, so nothing has to be read before.',
    body: { schema: { $ref: schemaReference('OperatorToolRequest') } },
  })
  async request(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @AgentBody(operatorRequest) body: OperatorToolRequest,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { request, tool, reason } = body;
    const why = (reason === undefined ? tool : `${reason} (${tool})`).slice(0, MOST_REASON_CHARS);
    const now = Math.floor(this.clock.now() / 1_000);
    const command = toolCommand(request, { now, uuid: randomUUID, reason: why });
    return this.writes.write({ clusterId, command, query, ...asking, places: placeOf });
  }
}

/** As the protocol reads it; but what a person sends is not mended. @throws {HttpProblem} 422 for text that can't be carried @throws {ProtocolError} */
function operatorRequest(value: unknown): OperatorToolRequest {
  const errors = notCarried(value, '');
  const [first] = errors;
  if (first !== undefined) throw new HttpProblem(422, 'invalid-request', `${first.pointer ?? ''} ${first.detail}`.trim(), { errors });
  const request = parseOperatorToolRequest(value);
  requireReadableReason(request);
  return request;
}

/** Places in the command are places in what was asked for. */
function placeOf(pointer: string): { readonly pointer: string } {
  return { pointer: `/request${pointer}` };
}
