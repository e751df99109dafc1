import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { includesRole, permissionFor, reaches, type AgentPrincipal, type OperatorPrincipal, type Permission } from '@systole/access';
import { ClusterCatalog } from '@systole/read-models';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Caller } from '../computing/caller.js';
import { clusterNotFound } from '../reads/cluster-lookup.js';
import { HttpProblem } from '../http/problem.js';
import { clientGone } from '../http/request-context.js';
import { operationIdOf } from '../openapi/operation-id.js';

/** Lets each ask for what the table of permissions says, by the id of the operation that a handler declares. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly catalog: ClusterCatalog) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operationId = operationIdOf(context.getHandler()) ?? '';
    const request = context.switchToHttp().getRequest<Request>();
    request.operationId = operationId;
    await this.#check(permissionFor(operationId), request);
    return true;
  }

  async #check({ who, reach }: Permission, request: Request): Promise<void> {
    if (who === 'everyone') return;
    if (who === 'agent') {
      agentAsking(request);
      return;
    }
    const { principal } = request;
    if (principal === undefined) throw unauthenticated();
    if (principal.kind === 'agent') {
      throw new HttpProblem(403, 'not-for-agents', `the token of the agent on ${principal.node} may only call /v1/agent`);
    }
    if (!includesRole(principal.role, who)) {
      throw new HttpProblem(403, 'role-too-low', `this needs the role ${who}; the token has the role ${principal.role}`);
    }
    if (principal.clusters === undefined) return;
    if (reach === 'server') {
      throw new HttpProblem(403, 'scope-too-narrow', 'this is about the server itself: it needs a token that is for all clusters');
    }
    if (reach === 'cluster') await this.#checkCluster(principal, request.params['cluster']);
  }

  /** What is not there for somebody is answered as what is not there at all. */
  async #checkCluster(principal: OperatorPrincipal, named: unknown): Promise<void> {
    const idOrName = typeof named === 'string' ? named : '';
    const entry = idOrName.length <= 255 ? await this.catalog.find(idOrName) : undefined;
    // One that was deleted is known by its id only.
    if (!reaches(principal, entry ?? { id: idOrName })) throw clusterNotFound(idOrName);
  }
}

/** The operator who asks. @throws {HttpProblem} 403 for an agent */
export function operatorAsking({ principal }: Request): OperatorPrincipal {
  if (principal?.kind !== 'operator') throw new HttpProblem(403, 'not-for-agents', 'this needs an operator');
  return principal;
}

/** The operator who asks. */
export const Operator = createParamDecorator((_: unknown, context: ExecutionContext): OperatorPrincipal =>
  operatorAsking(context.switchToHttp().getRequest<Request>()),
);

/** The agent who asks. @throws {HttpProblem} 401, 403 for anybody else */
export function agentAsking({ principal }: IncomingMessage): AgentPrincipal {
  if (principal === undefined) throw unauthenticated();
  if (principal.kind !== 'agent') throw new HttpProblem(403, 'agents-only', 'only agents may do this: use a token of the role agent');
  return principal;
}

/** The agent who asks. */
export const CallingAgent = createParamDecorator((_: unknown, context: ExecutionContext): AgentPrincipal =>
  agentAsking(context.switchToHttp().getRequest<Request>()),
);

function unauthenticated(): HttpProblem {
  return new HttpProblem(401, 'unauthenticated', 'a token is needed');
}

/** Who waits for the answer, and until when; for what is computed. */
export const Waiting = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const http = context.switchToHttp();
  return { owner: http.getRequest<Request>().principal?.tokenId ?? '', gone: clientGone(http.getResponse<Response>()) };
});
