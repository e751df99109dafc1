import type { CibCopy, ServerConnection } from './server-connection.js';

/** The CIB as it was last asked for. Each question asks the server whether it is still that, so that a tool sees what the one before it has written. */
export class KeptCib {
  private kept: (CibCopy & { readonly url: string }) | undefined;

  constructor(private readonly server: Pick<ServerConnection, 'cib'>) {}

  /** @param url of the server that is asked; another one's tags say nothing */
  async text(url: string): Promise<string> {
    const copy = await this.server.cib(url, this.kept?.url === url ? this.kept : undefined);
    this.kept = { ...copy, url };
    return copy.text;
  }
}
