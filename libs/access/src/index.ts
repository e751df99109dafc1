export { AccessNews, type AccessListener, type Asker, type Refusal } from './access-news.js';
export { IdempotencyKeys, type KeyClaim, type KeyState, type StoredAnswer } from './idempotency/idempotency-keys.js';
export { FairLine } from './limits/fair-line.js';
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
  type HeldToken,
  type OperatorHolder,
  type OperatorRole,
  type TokenHolder,
} from './tokens/access-tokens.js';
