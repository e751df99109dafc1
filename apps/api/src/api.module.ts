import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AccessGuard } from './access/access.guard.js';
import { AgentModule } from './agent/agent.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CibModule } from './cib/cib.module.js';
import { ClustersModule } from './clusters/clusters.module.js';
import { ConfigurationModule } from './configuration/configuration.module.js';
import { EventsModule } from './events/events.module.js';
import { EvidenceModule } from './evidence/evidence.module.js';
import { ExplanationModule } from './explanation/explanation.module.js';
import { HealthModule } from './health/health.module.js';
import { BodiesInFlightModule } from './http/bodies-in-flight.module.js';
import { BodyParsing } from './http/body-parsing.js';
import { ConditionRefusal } from './http/conditions.js';
import { LongAnswers } from './http/long-answers.js';
import { ProblemFilter } from './http/problem.filter.js';
import { QueryRefusal } from './http/query-refusal.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import { MetadataModule } from './metadata/metadata.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NodesModule } from './nodes/nodes.module.js';
import { OpenedServicesModule, type ApiServices } from './opened-services.module.js';
import { ResilienceModule } from './resilience/resilience.module.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SimulateModule } from './simulate/simulate.module.js';
import { StatusModule } from './status/status.module.js';
import { TicketsModule } from './tickets/tickets.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { TransitionsModule } from './transitions/transitions.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** All features, and what every request goes through. The order of the features does not matter: no path of one is a path of another. */
@Module({
  imports: [
    BodiesInFlightModule,
    AgentModule,
    AlertsModule,
    AuditModule,
    CibModule,
    ClustersModule,
    ConfigurationModule,
    EventsModule,
    EvidenceModule,
    ExplanationModule,
    HealthModule,
    MetadataModule,
    MetricsModule,
    NodesModule,
    ResilienceModule,
    ResourcesModule,
    SecretsModule,
    SimulateModule,
    StatusModule,
    TicketsModule,
    TokensModule,
    ToolsModule,
    TransitionsModule,
    WebhooksModule,
  ],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    // The outermost: it writes what all others have seen.
    { provide: APP_INTERCEPTOR, useClass: LongAnswers },
    // In this order: what is refused costs no reading of its body.
    { provide: APP_INTERCEPTOR, useClass: ConditionRefusal },
    { provide: APP_INTERCEPTOR, useClass: QueryRefusal },
    { provide: APP_INTERCEPTOR, useClass: BodyParsing },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
  ],
})
export class ApiModule {
  static with(services: ApiServices): DynamicModule {
    return { module: ApiModule, imports: [OpenedServicesModule.with(services)] };
  }

  /** For reading the routes only: nothing that is provided may be used. */
  static withoutServices(): DynamicModule {
    return { module: ApiModule, imports: [OpenedServicesModule.withoutServices()] };
  }
}
