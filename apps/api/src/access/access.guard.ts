import { applyDecorators, createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { OperatorRole } from '@systole/access';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Caller } from '../computing/caller.js';
import { ApiProblems } from '../openapi/responses.js';
import { HttpProblem } from '../http/problem.js';
import { clientGone } from '../http/request-context.js';
import { includesRole, type AgentPrincipal, type OperatorPrincipal } from '@systole/access';

type Access = OperatorRole | 'agent' | 'everyone';
const ACCESS = 'systole:access';

/** The least role that may call this. */
export function Needs(role: OperatorRole): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, role satisfies Access), ApiBearerAuth('operator'), ApiProblems(401, 403));
}

/** Only agents may call this. */
export function AgentsOnly(): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, 'agent' satisfies Access), ApiBearerAuth('agent'), ApiProblems(401, 403));
}

/** No token needed. */
export function ForEveryone(): ClassDecorator & MethodDecorator {
  return SetMetadata(ACCESS, 'everyone' satisfies Access);
}

/** Checks the role that a handler declares. One that declares nothing is for admins: forgetting opens nothing. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]) ?? 'admin';
    if (access === 'everyone') return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (access === 'agent') {
      agentAsking(request);
      return true;
    }
    const { principal } = request;
    if (principal === undefined) throw unauthenticated();
    if (principal.kind === 'agent') {
      throw new HttpProblem(403, 'not-for-agents', `the token of the agent on ${principal.node} may only call /v1/agent`);
    }
    if (!includesRole(principal.role, access)) {
      throw new HttpProblem(403, 'role-too-low', `this needs the role ${access}; the token has the role ${principal.role}`);
    }
    return true;
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
