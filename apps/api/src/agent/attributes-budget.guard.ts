import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { agentAsking } from '../access/access.guard.js';
import { BodiesInFlight } from '../http/bodies-in-flight.js';
import { NodeReportBudgets } from '../access/node-report-budgets.js';

/** Refuses changes of attributes unread while nothing is left of the node's budgets for them. */
@Injectable()
export class AttributesBudgetGuard implements CanActivate {
  constructor(
    private readonly budgets: NodeReportBudgets,
    private readonly bodies: BodiesInFlight,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    this.bodies.announce(request);
    const agent = agentAsking(request);
    this.budgets.check(agent, 'attributes');
    this.budgets.check(agent, 'unchanged-attributes');
    return true;
  }
}
