import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ClusterStates } from '@systole/read-models';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PastVersions } from '../reads/past-versions.js';
import { MOMENT_OR_AGE } from '../http/moments.js';
import { TextField, WholeField } from '../http/fields.js';
import { HttpProblem } from '../http/problem.js';
import { DocumentTexts } from '../scheduling/document-texts.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

export class RestoreBody extends ReasonBody {
  @WholeField({ min: 1, description: 'The configuration as it was at this version of the cluster.', optional: true })
  readonly version?: number;

  @TextField({
    description: 'Or as it was at this time: a date and time, or an age, e.g. `2h`.',
    pattern: MOMENT_OR_AGE,
    patternSays: 'must be a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h',
    max: 40,
    optional: true,
  })
  readonly at?: string;
}

/** Brings back what was configured earlier. */
@ApiTags('cib')
@Controller('v1/clusters/:cluster')
export class RestoreController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly states: ClusterStates,
    private readonly versions: PastVersions,
    private readonly texts: DocumentTexts,
    private readonly writes: ClusterWrites,
  ) {}

  @Post('restore')
  @Write({
    operationId: 'restoreConfiguration',
    summary: 'Bring an earlier configuration back',
    description:
      'The configuration of a version, or of a time, replaces the present one, as a change of its own; nothing of the log is undone. What is known of the nodes stays, and status is what agents report. ' +
      'Refused with all findings when it is not valid (any more).',
    restsOn: 'configuration',
  })
  @ApiBody({ type: RestoreBody })
  async restore(
    @Param('cluster') cluster: string,
    @Query() query: WriteQuery,
    @Body() body: RestoreBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const version = await this.#versionOf(clusterId, body);
    const { cib } = await this.states.loadAt(clusterId, version);
    return this.writes.write({
      clusterId,
      command: { type: 'replace-configuration', cib: await this.texts.xml(cib), restores: version, ...because(body) },
      query,
      ...asking,
      // The document is none of the request's: places in it are told by line, element and path.
      places: { '/cib': {} },
    });
  }

  async #versionOf(clusterId: string, { version, at }: RestoreBody): Promise<number> {
    if ((version === undefined) === (at === undefined)) {
      const detail = 'give either a version or a time (`at`)';
      throw new HttpProblem(422, 'invalid-argument', detail, { errors: [{ pointer: '/version', detail }] });
    }
    if (version !== undefined) return this.versions.find(clusterId, String(version), { pointer: '/version' });
    return this.versions.find(clusterId, at ?? '', { pointer: '/at' });
  }
}
