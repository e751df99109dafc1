import type { Principal } from '@systole/access';

declare module 'http' {
  interface IncomingMessage {
    /** Who asks; set by the authentication for every path under /v1. */
    principal?: Principal;
    /** Whose token it brought, of a request that was not let in with it: known, and not proven to be who may ask. */
    claimant?: Pick<Principal, 'actor' | 'tokenId'>;
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set for a request with an Idempotency-Key of which an earlier attempt ended without saying how. */
    repeated?: true;
    /** Set as soon as the cluster has taken what it asks for: whatever is thrown after that is no refusal. */
    written?: true;
    /** Id of the operation that it asks for; set before anything of it is done, for whatever has a handler. */
    operationId?: string;
    /** Key for digests of what requests hold, which may be secrets; absent: the server has none. */
    digestKey?: Buffer;
  }
  interface Response {
    /** Whether who asks has this answer already. */
    notModified?: boolean;
  }
}
