import { createHash } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import type { OperatorPrincipal } from '../principal.js';
import type { OperatorRole } from '../tokens/access-tokens.js';

/** Whose word on users counts, and where in it what they may do is said. */
export interface OidcConfig {
  /** `iss` of the tokens, to the letter; below it lies `/.well-known/openid-configuration`. */
  readonly issuer: string;
  /** `aud` that the tokens have to name. */
  readonly audience: string;
  /** Where the keys are; absent: where the issuer's own description says. */
  readonly keysUrl?: string;
  /** Claim with a role, or a list in which there is one. A name with dots that is no claim is a path. */
  readonly roleClaim: string;
  /** Claim with the ids or names of clusters; absent: users are for all clusters. `*` among them: all. */
  readonly clustersClaim?: string;
  /** Claim that is `true` for who may see secrets; absent: nobody may. */
  readonly secretsClaim?: string;
  /** Claim with the name under which events know a user. */
  readonly nameClaim: string;
  /** How far the clocks of the issuer and this server may be apart, s. */
  readonly clockSkewS: number;
}

/** A user's token is not accepted; the text says which check failed, and nothing of the token but what it claims to be. */
export class UserRefused extends Error {
  override readonly name = 'UserRefused';

  /**
   * @param why `token`: it is not valid; `rights`: it is, and gives nothing here
   * @param who it is, of one whose token is valid
   */
  constructor(
    readonly why: 'token' | 'rights',
    message: string,
    readonly who?: Pick<OperatorPrincipal, 'actor' | 'tokenId'>,
  ) {
    super(message);
  }
}

/** The issuer's keys can't be had at the moment, so that nobody can tell whether a token is valid. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable';
}

/** A user and until when his token is good, ms since 1970. */
export interface OidcUser {
  readonly principal: OperatorPrincipal;
  readonly endsAt: number;
}

/** Signatures that prove who signed: no secret that this server would share (`HS…`), and not `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** How long the issuer may take to answer, ms. */
const ANSWERS_WITHIN_MS = 5_000;
/** Of an issuer's description of itself, or of its keys, bytes; real ones have some thousand. */
const LONGEST_DESCRIPTION = 262_144;
/** Keys are asked for again when they are so old; at a key that is unknown at once, but no more often than each 5 s. */
const KEYS_FOR_MS = 600_000;
const KEYS_EVERY_MS = 5_000;
/** While the issuer can't be asked its last keys are taken again until they are so old: with the time that they are good for then, an hour in all. */
const KEPT_FOR_MS = 3_600_000 - KEYS_FOR_MS;

const COMPACT = /^e[wy][\w-]*\.[\w-]+\.[\w-]+$/;

/** Whether a bearer token could be a user's: a signed JWT (RFC 7515, compact serialization), which begins with an object in base64url. */
export function looksLikeUser(token: string): boolean {
  return COMPACT.test(token);
}

/** Users who bring a token of an OpenID provider. */
export class OidcUsers {
  #keys: Promise<JWTVerifyGetKey> | undefined;
  /** What the issuer last said, and when, monotonic ms. */
  #last: { readonly keys: unknown; readonly at: number } | undefined;
  /** Why the keys that are used are no newer. */
  #trouble: IssuerUnreachable | undefined;

  /**
   * @param onTrouble told each time that the last keys have to do, with the reason
   * @param now monotonic ms
   */
  constructor(
    private readonly config: OidcConfig,
    private readonly onTrouble: (trouble: IssuerUnreachable) => void = () => undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws {UserRefused} @throws {IssuerUnreachable} */
  async verify(token: string): Promise<OidcUser> {
    const { issuer, audience, clockSkewS } = this.config;
    const keys = await this.#theirKeys();
    try {
      const options = { issuer, audience, clockTolerance: clockSkewS, algorithms: ALGORITHMS, requiredClaims: ['exp', 'sub'] };
      const { payload, protectedHeader } = await jwtVerify(token, keys, options);
      requireForAccess(payload, protectedHeader.typ);
      return { principal: principalOf(payload, this.config), endsAt: ((payload.exp ?? 0) + clockSkewS) * 1_000 };
    } catch (error) {
      // It may be one that the issuer has by now.
      if (error instanceof errors.JWKSNoMatchingKey && this.#trouble !== undefined) throw this.#trouble;
      throw refusalOf(error, this.config);
    }
  }

  /** The issuer's keys; those of before, for a time, when it can't be asked: else everybody would be out as soon as it is away. */
  async #keysAt(url: string): Promise<Response> {
    try {
      const keys = await keysAt(url);
      this.#last = { keys, at: this.now() };
      this.#trouble = undefined;
      return Response.json(keys);
    } catch (error) {
      if (!(error instanceof IssuerUnreachable) || this.#last === undefined || this.now() - this.#last.at > KEPT_FOR_MS) throw error;
      this.#trouble = error;
      this.onTrouble(error);
      return Response.json(this.#last.keys);
    }
  }

  #theirKeys(): Promise<JWTVerifyGetKey> {
    if (this.#keys !== undefined) return this.#keys;
    const keys = keysUrlOf(this.config).then((url) =>
      createRemoteJWKSet(url, {
        cacheMaxAge: KEYS_FOR_MS,
        cooldownDuration: KEYS_EVERY_MS,
        [customFetch]: (at: string) => this.#keysAt(at),
      }),
    );
    // The next one asks again.
    keys.catch(() => {
      if (this.#keys === keys) this.#keys = undefined;
    });
    this.#keys = keys;
    return keys;
  }
}

/** By OpenID Connect Discovery 1.0, section 4. */
async function keysUrlOf({ issuer, keysUrl }: OidcConfig): Promise<URL> {
  if (keysUrl !== undefined) return new URL(keysUrl);
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const described = await descriptionAt(url).catch((error: unknown) => {
    throw new IssuerUnreachable(`${url} can not be read: ${reasonOf(error)}`, { cause: error });
  });
  const { issuer: said, jwks_uri: keys } = (described ?? {}) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (said !== issuer) throw new IssuerUnreachable(`${url} is the description of another issuer than ${issuer}`);
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new IssuerUnreachable(`${url} does not say where the keys are (jwks_uri)`);
  return new URL(keys);
}

/**
 * Keys of an issuer. What goes wrong here is its doing; what goes wrong with them later is that of who sent a token, who may name any of them, also one
 * that is too weak.
 *
 * @throws {IssuerUnreachable}
 */
async function keysAt(url: string): Promise<unknown> {
  try {
    const keys = await descriptionAt(url);
    // Says whether they are keys at all.
    createLocalJWKSet(keys as JSONWebKeySet);
    return keys;
  } catch (error) {
    throw new IssuerUnreachable(`the keys at ${url} can not be had: ${reasonOf(error)}`, { cause: error });
  }
}

/** The JSON at an address, as long as it comes in time and is no longer than a description is. */
async function descriptionAt(url: string): Promise<unknown> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => {
    tooLate.abort(new Error(`it was not there after ${String(ANSWERS_WITHIN_MS / 1_000)} s`));
  }, ANSWERS_WITHIN_MS);
  try {
    const answer = await fetch(url, { signal: tooLate.signal, redirect: 'error' });
    if (!answer.ok) throw new Error(`it answers ${String(answer.status)}`);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength;
      if (bytes > LONGEST_DESCRIPTION) throw new Error(`it is longer than ${String(LONGEST_DESCRIPTION)} bytes`);
      pieces.push(piece);
    }
    return JSON.parse(Buffer.concat(pieces).toString());
  } finally {
    clearTimeout(timer);
    // Whatever is still to come is not waited for.
    tooLate.abort();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** What `jose` throws, in words; whatever else went wrong there is about the key that the token names, which is the issuer's but can't be used. */
function refusalOf(error: unknown, { issuer, audience, clockSkewS }: OidcConfig): Error {
  if (error instanceof UserRefused || error instanceof IssuerUnreachable) return error;
  const refused = (text: string): UserRefused => new UserRefused('token', text);
  if (error instanceof errors.JWTExpired)
    return refused(`the user's token has expired, also with ${String(clockSkewS)} s between the clocks`);
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return refused(`the user's token has no claim ${error.claim}`);
    if (error.claim === 'iss') return refused(`the user's token is of another issuer than ${issuer}`);
    if (error.claim === 'aud') return refused(`the user's token is for others than ${audience}`);
    if (error.claim === 'nbf') return refused("the user's token is not valid yet: compare the clocks of its issuer and of this server");
    return refused(`the claim ${error.claim} of the user's token does not hold`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return refused("the signature of the user's token does not hold");
  if (error instanceof errors.JOSEAlgNotAllowed) return refused("the user's token is signed in a way that is not accepted here");
  if (error instanceof errors.JWKSNoMatchingKey) return refused(`the user's token is signed with a key that ${issuer} does not have`);
  if (error instanceof errors.JWKSMultipleMatchingKeys) return refused("the user's token does not say with which key it is signed (kid)");
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return refused("the user's token is no JSON Web Token");
  if (error instanceof errors.JOSENotSupported) return refused("the user's token asks for what is not done here (crit, or its algorithm)");
  return refused(`the key of ${issuer} that the user's token names can not be used: ${reasonOf(error)}`);
}

/** Media types of tokens that are shown to get in (RFC 9068 §2.1, RFC 7519 §5.1). */
const FOR_ACCESS: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
/** What some providers write into tokens that are for something else; an ID token may be meant for this server, as its audience says. */
const FOR_SOMETHING_ELSE: ReadonlySet<unknown> = new Set(['Logout', 'Refresh', 'Offline']);
/** The end of the year 9999, s: later than that no date can be written. */
const LATEST_END = 253_402_300_799;

/**
 * An issuer signs other things for the same audience, a note that somebody logged out (OpenID Connect Back-Channel Logout 1.0, section 2.4) for one: none of them is a key to this door (RFC 8725 §3.11).
 *
 * @throws {UserRefused}
 */
function requireForAccess(payload: JWTPayload, type: string | undefined): void {
  const isOther = type !== undefined && !FOR_ACCESS.has(type.toLowerCase());
  if (isOther || FOR_SOMETHING_ELSE.has(payload['typ']) || Object.hasOwn(payload, 'events'))
    throw new UserRefused('token', "the user's token is for something else than to get access");
  if (!((payload.exp ?? 0) <= LATEST_END)) throw new UserRefused('token', "the end of the user's token (exp) is no time");
}

const ROLES: readonly OperatorRole[] = ['admin', 'operator', 'viewer'];
/** Longest name of a user, characters. */
const LONGEST_NAME = 128;

function principalOf(payload: JWTPayload, config: OidcConfig): OperatorPrincipal {
  const { roleClaim, clustersClaim, secretsClaim } = config;
  const named = textsIn(claimOf(payload, roleClaim));
  const role = ROLES.find((each) => named.includes(each));
  if (role === undefined) {
    throw new UserRefused(
      'rights',
      `the user's token gives no role: its claim ${roleClaim} names none of ${ROLES.toReversed().join(', ')}`,
      { actor: `oidc:${nameOf(payload, config)}`, tokenId: idOf(payload) },
    );
  }
  const clusters = clustersClaim === undefined ? ['*'] : textsIn(claimOf(payload, clustersClaim));
  return {
    kind: 'operator',
    role,
    tokenId: idOf(payload),
    actor: `oidc:${nameOf(payload, config)}`,
    seesSecrets: secretsClaim !== undefined && claimOf(payload, secretsClaim) === true,
    ...(clusters.includes('*') ? {} : { clusters, clusterNames: clusters }),
  };
}

/** One user is one, however many tokens he has: limits and repeated requests are counted by it. */
function idOf({ iss = '', sub = '' }: JWTPayload): string {
  return `oidc-${createHash('sha256')
    .update(JSON.stringify([iss, sub]))
    .digest('hex')
    .slice(0, 32)}`;
}

function nameOf(payload: JWTPayload, { nameClaim }: OidcConfig): string {
  const name = claimOf(payload, nameClaim);
  // Events carry it, and terminals show it.
  if (typeof name === 'string' && name.length <= LONGEST_NAME && /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u.test(name)) return name;
  throw new UserRefused(
    'token',
    `the claim ${nameClaim} of the user's token is no name: 1 to ${String(LONGEST_NAME)} printable characters`,
  );
}

function claimOf(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let at: unknown = payload;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[part];
  }
  return at;
}

function textsIn(claim: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.filter((each) => typeof each === 'string');
}
