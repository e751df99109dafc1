/** The ports of `@systole/control-plane` on PostgreSQL. Start at `postgresPorts`. */
export { CatalogTraits } from './agents/catalog-traits.js';
export {
  AgentCatalog,
  type AgentOnNodes,
  type AgentParameters,
  type NodeTelling,
  type TellingNodes,
  type ToldAgents,
} from './agents/agent-catalog.js';
export { PrivateAttributes, type ToldPrivately } from './agents/private-attributes.js';
export { AlertOutcomes, type AlertOutcomesParts } from './alerts/alert-outcomes.js';
export { AlertProjection, type AlertProjectionParts } from './alerts/alert-projection.js';
export {
  ALERT_RUN_OUTCOMES,
  AlertRuns,
  type AlertRun,
  type AlertRunOutcome,
  type AlertTally,
  type EndedRun,
  type GivenRun,
} from './alerts/alert-runs.js';
export { PostgresClaims } from './claims/postgres-claims.js';
export { PostgresDispatchRecords } from './dispatches/postgres-dispatch-records.js';
export { PostgresDispatchSignals } from './dispatches/dispatch-signals.js';
export { openInstallation, type Installation } from './installation/installation.js';
export { KeptInstallation } from './installation/kept-installation.js';
export { LogWrites } from './log/log-writes.js';
export { postgresPorts, type PostgresPorts } from './postgres-ports.js';
export { ensureKeyFile, MasterKeys, mayOthersRead, NO_KEYS, readMasterKeys, UnfitKeyFile } from './secrets/master-keys.js';
export { lockedWebhooks, resealWebhookSecrets, webhookSecretBox } from './secrets/webhook-secrets.js';
export { PostgresSecrets, type SecretsSettings } from './secrets/postgres-secrets.js';
export { SharedStates, type SharedStatesOptions, type StatesListener } from './states/shared-states.js';
export { SYSTEM_CHANCE, SYSTEM_CLOCK } from './process/system-clock.js';
export { NoSpareTime } from './process/spare-time.js';
export { warmUp, type WarmUp } from './process/warm-up.js';
