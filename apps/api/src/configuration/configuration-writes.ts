import { Injectable } from '@nestjs/common';
import type { ElementEdit } from '@systole/cib';
import type { Request, Response } from 'express';
import type { OperatorPrincipal } from '@systole/access';
import { ClusterLookup } from '../clusters/cluster-lookup.js';
import type { CibText } from '../computing/task.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import type { WriteResultDto } from '../writes/write.dto.js';
import type { WriteConfigurationQuery } from './configuration.dto.js';

/** What a write of the configuration comes with. */
export interface ConfigurationWrite {
  /** Id or name. */
  readonly cluster: string;
  readonly query: WriteConfigurationQuery;
  readonly operator: OperatorPrincipal;
  readonly request: Request;
  readonly response: Response;
}

/** The one way in which operators edit a configuration by element: never without saying which one they mean. */
@Injectable()
export class ConfigurationWrites {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  /**
   * One edit, whose element or patch is the body.
   *
   * @throws {HttpProblem} 428 without If-Match, and for what the cluster refuses
   */
  one(write: ConfigurationWrite, edit: ElementEdit): Promise<WriteResultDto> {
    return this.#edit(write, [edit], edit.edit === 'move' ? placeInMove : placeInElement);
  }

  /** A list of edits, which is the field `edits` of the body. @throws {HttpProblem} as {@link one} */
  all(write: ConfigurationWrite, edits: readonly ElementEdit[]): Promise<WriteResultDto> {
    return this.#edit(write, edits, () => undefined);
  }

  async #edit(
    { cluster, query, operator, request, response }: ConfigurationWrite,
    edits: readonly ElementEdit[],
    places: (pointer: string) => Omit<ProblemIssue, 'detail'> | undefined,
  ): Promise<WriteResultDto> {
    requireConfigurationMatch(request);
    const { id: clusterId } = await this.lookup.find(cluster);
    const { dryRun, wait, timeout, reason, force } = query;
    return this.writes.write({
      clusterId,
      command: { type: 'edit-configuration', edits, ...(reason === undefined ? {} : { reason }), ...(force === true ? { force } : {}) },
      operator,
      query: {
        ...(dryRun === undefined ? {} : { dryRun }),
        ...(wait === undefined ? {} : { wait }),
        ...(timeout === undefined ? {} : { timeout }),
      },
      request,
      response,
      places,
    });
  }
}

/** An element in a body, as it was sent: JSON or XML. */
export function elementIn(request: Request, body: unknown): { readonly element: unknown } | { readonly xml: string } {
  const isXml = body !== undefined && typeof request.is(['application/xml', 'text/xml']) === 'string';
  return isXml ? { xml: (body as CibText).text } : { element: body };
}

/** A write of a configuration has to say which one it rests on. @throws {HttpProblem} 428 */
export function requireConfigurationMatch(request: Request): void {
  if (request.headers['if-match'] !== undefined) return;
  const detail = 'a write of the configuration needs the ETag of what it rests on, so that no change of others gets lost; or * to insist';
  throw new HttpProblem(428, 'precondition-required', `If-Match is missing: ${detail}`, { errors: [{ header: 'If-Match', detail }] });
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
