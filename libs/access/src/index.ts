export { appendAudit } from './audit/append-audit.js';
export {
  AUDIT_STREAM,
  AUDIT_TYPES,
  auditSubjects,
  type Asked,
  type Asking,
  type AuditEvent,
  type ServerStarted,
} from './audit/audit-event.js';
export { AuditedProcess, placeOf } from './audit/audited-process.js';
export { AuditLog, NOBODY, type AuditLogOptions, type RepeatedEntry } from './audit/audit-log.js';
export { IdempotencyKeys, type KeyClaim, type KeyState, type SeenKey, type StoredAnswer } from './idempotency/idempotency-keys.js';
export { FairLine } from './limits/fair-line.js';
export { networkOf } from './limits/network.js';
export { RateLimit, type Rate } from './limits/rate-limit.js';
export { Shares, type ShareLimits, type ShareRefusal } from './limits/shares.js';
export { IssuerUnreachable, looksLikeUser, OidcUsers, UserRefused, type OidcConfig } from './oidc/oidc-users.js';
export { permissionFor, PERMISSIONS, type Permission, type Reach } from './permissions/permissions.js';
export { includesRole, reaches, type AgentPrincipal, type OperatorPrincipal, type Principal } from './principal.js';
export {
  AccessTokens,
  TokensLost,
  TokenNameTaken,
  type AccessToken,
  type AgentHolder,
  type ContainerHolder,
  type ContainerPlace,
  type HeldToken,
  type OperatorHolder,
  type OperatorRole,
  type TokenChanger,
  type TokenHolder,
} from './tokens/access-tokens.js';
