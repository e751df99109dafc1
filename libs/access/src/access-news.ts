import type { AccessToken } from './tokens/access-tokens.js';

/** Who did something, as far as it is known. */
export interface Asker {
  /** As events name it: `user:…`, `agent:…`; undefined of one whose token is not valid, or who brought none. */
  readonly actor?: string;
  readonly tokenId?: string;
  /** Whence the request came. */
  readonly address: string;
  /** Of the request: what its answer carries, and all events that it causes. */
  readonly requestId: string;
}

/** A request that was not let in, or not to what it asked for. */
export interface Refusal {
  readonly by: Asker;
  readonly method: string;
  /** Without parameters. */
  readonly path: string;
  /** 401, 403, 404 for what somebody may not see, or 429. */
  readonly status: number;
  /** Last part of the problem's type. */
  readonly code: string;
  /** What was answered. */
  readonly detail: string;
}

/** What is heard of access. Each is called before the answer goes out, returns at once and never throws. */
export interface AccessListener {
  tokenIssued(token: AccessToken, by: Asker): void;
  tokenRevoked(token: AccessToken, by: Asker): void;
  refused(refusal: Refusal): void;
}

/** What becomes of access, for whoever keeps account of it. */
export class AccessNews implements AccessListener {
  readonly #listeners = new Set<AccessListener>();

  /** @returns ends the listening */
  hear(listener: AccessListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tokenIssued(token: AccessToken, by: Asker): void {
    for (const listener of this.#listeners) listener.tokenIssued(token, by);
  }

  tokenRevoked(token: AccessToken, by: Asker): void {
    for (const listener of this.#listeners) listener.tokenRevoked(token, by);
  }

  refused(refusal: Refusal): void {
    for (const listener of this.#listeners) listener.refused(refusal);
  }
}
