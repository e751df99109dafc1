import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { FlagField, TextField } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites, type AskedWrite, type WriteRequest } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { safely, SafeWriteQuery } from '../writes/safe-query.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { Write } from '../writes/write.js';

class PlacementBody extends ReasonBody {
  @FlagField({ description: 'Its promoted role only.', optional: true })
  readonly promoted?: boolean;

  @TextField({
    description: 'Ends by itself after this time, an ISO 8601 duration; when left out it stays until it is cleared.',
    example: 'PT2H',
    max: 40,
    optional: true,
  })
  readonly lifetime?: string;
}

export class MoveBody extends PlacementBody {
  @TextField({ description: 'Where it is to go; away from where it runs when left out.', max: 255, optional: true })
  readonly node?: string;
}

export class BanBody extends PlacementBody {
  @TextField({ description: 'Where it is not to run; where it runs now, if that is one place, when left out.', max: 255, optional: true })
  readonly node?: string;
}

export class ClearBody extends ReasonBody {
  @TextField({ description: 'What names this node only.', max: 255, optional: true })
  readonly node?: string;

  @FlagField({ description: 'What is of the promoted role only; of a promotable clone.', optional: true })
  readonly promoted?: boolean;

  @FlagField({ description: 'What has ended by its lifetime only.', optional: true })
  readonly expired?: boolean;
}

/** Where a resource is to go. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/resources/:resource/commands')
export class ResourcePlacementController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
    private readonly clock: ClockWatch,
  ) {}

  @Post('move')
  @Write({
    operationId: 'moveResource',
    summary: 'Move a resource to a node, or away from where it runs',
    description:
      'Leaves the constraint `cli-prefer-<resource>`, in the place of earlier moves, or (without a node) `cli-ban-<resource>-on-<node>`, as `crm_resource --move` does. What stands in a clone or bundle is moved with that.',
    body: { type: MoveBody, required: false },
  })
  async move(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() { safe, othersMayMove, ...query }: SafeWriteQuery,
    @Body() body: MoveBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const command: ClusterCommand = { type: 'move-resource', resource, ...placementIn(body), now: this.#nowSeconds() };
    return this.#write(cluster, command, { query, ...asking, ...safely([resource], { safe, othersMayMove }) });
  }

  @Post('ban')
  @Write({
    operationId: 'banResource',
    summary: 'Keep a resource away from a node',
    description: 'Leaves the constraint `cli-ban-<resource>-on-<node>`, as `crm_resource --ban` does.',
    body: { type: BanBody, required: false },
  })
  async ban(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() { safe, othersMayMove, ...query }: SafeWriteQuery,
    @Body() body: BanBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const command: ClusterCommand = { type: 'ban-resource', resource, ...placementIn(body), now: this.#nowSeconds() };
    return this.#write(cluster, command, { query, ...asking, ...safely([resource], { safe, othersMayMove }) });
  }

  @Post('clear')
  @Write({
    operationId: 'clearResource',
    summary: 'Remove what moves and bans of a resource have left behind',
    description:
      'All of them, those for one node, those of the promoted role, or those that are over: `cli-prefer-…` and `cli-ban-…`, and no other constraint.',
    body: { type: ClearBody, required: false },
  })
  async clear(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: WriteQuery,
    @Body() body: ClearBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { node, promoted, expired } = body;
    const which = {
      ...(node === undefined ? {} : { node }),
      ...(promoted === undefined ? {} : { promoted }),
      ...(expired === undefined ? {} : { expired }),
    };
    const command: ClusterCommand = { type: 'clear-resource', resource, ...which, now: this.#nowSeconds(), ...because(body) };
    return this.#write(cluster, command, { query, ...asking });
  }

  #nowSeconds(): number {
    return Math.floor(this.clock.now() / 1_000);
  }

  async #write(cluster: string, command: ClusterCommand, write: AskedWrite & Pick<WriteRequest, 'safe'>): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...write, clusterId, command, places: { '/resource': { parameter: 'resource' } } });
  }
}

function placementIn(body: MoveBody): { node?: string; promoted?: boolean; lifetime?: string; reason?: string } {
  const { node, promoted, lifetime } = body;
  return {
    ...(node === undefined ? {} : { node }),
    ...(promoted === undefined ? {} : { promoted }),
    ...(lifetime === undefined ? {} : { lifetime }),
    ...because(body),
  };
}
