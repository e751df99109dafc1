import type { Principal } from '../access/principal.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Who asks; set by the authentication for every path under /v1. */
    principal?: Principal;
  }
}
