import { Injectable } from '@nestjs/common';
import type { ElementEdit } from '@systole/cib';
import type { Request } from 'express';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { CibText } from '../computing/task.js';
import type { ProblemIssue } from '../http/problem.js';
import type { AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import type { WriteResultDto } from '../writes/write.dto.js';
import type { WriteConfigurationQuery } from './configuration.dto.js';

/** What a write of the configuration comes with. */
export interface ConfigurationWrite extends AskedBy {
  /** Id or name. */
  readonly cluster: string;
  readonly query: WriteConfigurationQuery;
}

/** The one way in which operators edit a configuration by element. */
@Injectable()
export class ConfigurationWrites {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  /**
   * One edit, whose element or patch is the body.
   *
   * @throws {HttpProblem} for what the cluster refuses
   */
  one(write: ConfigurationWrite, edit: ElementEdit): Promise<WriteResultDto> {
    return this.#edit(write, [edit], edit.edit === 'move' ? placeInMove : placeInElement);
  }

  /** A list of edits, which is the field `edits` of the body. @throws {HttpProblem} as {@link one} */
  all(write: ConfigurationWrite, edits: readonly ElementEdit[]): Promise<WriteResultDto> {
    return this.#edit(write, edits, () => undefined);
  }

  async #edit(
    { cluster, query, ...asking }: ConfigurationWrite,
    edits: readonly ElementEdit[],
    places: (pointer: string) => Omit<ProblemIssue, 'detail'> | undefined,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { dryRun, wait, timeout, reason, force } = query;
    return this.writes.write({
      clusterId,
      command: { type: 'edit-configuration', edits, ...(reason === undefined ? {} : { reason }), ...(force === true ? { force } : {}) },
      ...asking,
      query: {
        ...(dryRun === undefined ? {} : { dryRun }),
        ...(wait === undefined ? {} : { wait }),
        ...(timeout === undefined ? {} : { timeout }),
      },
      places,
    });
  }
}

/** An element in a body, as it was sent: JSON or XML. */
export function elementIn(request: Request, body: unknown): { readonly element: unknown } | { readonly xml: string } {
  const isXml = body !== undefined && typeof request.is(['application/xml', 'text/xml']) === 'string';
  return isXml ? { xml: (body as CibText).text } : { element: body };
}

const OF_ELEMENT = /^\/edits\/0\/(?:element|patch|xml)(\/.*)?$/s;
const OF_REQUEST = /^\/edits\/0\/(id|before|after)$/;

function placeInElement(pointer: string): Omit<ProblemIssue, 'detail'> {
  const parameter = OF_REQUEST.exec(pointer)?.[1];
  return parameter === undefined ? { pointer: OF_ELEMENT.exec(pointer)?.[1] ?? '' } : { parameter };
}

function placeInMove(pointer: string): Omit<ProblemIssue, 'detail'> {
  const field = /^\/edits\/0\/(\w+)$/.exec(pointer)?.[1];
  if (field === 'id') return { parameter: 'id' };
  return { pointer: field === undefined ? '' : `/${field}` };
}
