import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { diffConfiguration } from '@systole/cib';
import { ClusterStates } from '@systole/read-models';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PastVersions, VERSION_OR_MOMENT, VERSION_OR_MOMENT_SAYS } from '../reads/past-versions.js';
import { TextField } from '../http/fields.js';
import { ApiProblems } from '../openapi/responses.js';
import { ElementChangeDto } from '../writes/write.dto.js';

const FIELD = { pattern: VERSION_OR_MOMENT, patternSays: VERSION_OR_MOMENT_SAYS, max: 40 } as const;

export class DiffQuery {
  @TextField({ description: 'The configuration as it was: a version of the cluster, a date and time, or an age, e.g. `2h`.', ...FIELD })
  readonly from!: string;

  @TextField({ description: 'Compared with this one; as it is now when left out.', ...FIELD, optional: true })
  readonly to?: string;
}

/** What was changed between two versions of a cluster. */
export class ConfigurationDiffDto {
  @ApiProperty({ type: 'integer', description: 'The version that was compared.' })
  readonly from!: number;

  @ApiProperty({ type: 'integer', description: 'The version with which it was compared.' })
  readonly to!: number;

  @ApiProperty({
    type: ElementChangeDto,
    isArray: true,
    description: 'What makes the second configuration of the first; whatever came and went between them is not in it.',
  })
  readonly changes!: readonly ElementChangeDto[];
}

/** Compares what was configured at two times. */
@ApiTags('cib')
@Controller('v1/clusters/:cluster/diff')
export class DiffController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly states: ClusterStates,
    private readonly versions: PastVersions,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'diffConfigurations',
    summary: 'Compare the configurations of two versions, or times',
    description: 'Of versions or times anywhere in the log of the cluster, in either order.',
  })
  @ApiOkResponse({ type: ConfigurationDiffDto })
  @ApiProblems(400, 404)
  async diff(@Param('cluster') cluster: string, @Query() query: DiffQuery): Promise<ConfigurationDiffDto> {
    const { id } = await this.lookup.find(cluster);
    const from = await this.versions.find(id, query.from, { parameter: 'from' });
    const before = await this.states.loadAt(id, from);
    const after =
      query.to === undefined
        ? await this.states.load(id)
        : await this.states.loadAt(id, await this.versions.find(id, query.to, { parameter: 'to' }));
    return { from, to: after.version, changes: diffConfiguration(before.cib, after.cib) };
  }
}
