import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import { WatchedTlsFiles, type TlsMaterial } from '@systole/certificates';
import type { Logger } from 'pino';
import type { AgentCertificates, AgreedAuthorities } from './client-certificates.js';

/** How the server speaks TLS: paths of PEM files, which may be renewed while it runs. */
export interface TlsConfig {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Authorities of the certificates that agents show; absent: none are asked for. */
  readonly clientAuthoritiesFile?: string;
  /** Default: `optional`. */
  readonly agentCertificates?: AgentCertificates;
}

/** Older versions are broken (RFC 8996). */
const OLDEST = 'TLSv1.2';

/** The server's certificates, taken anew when their files change and on SIGHUP. Connections that there are keep theirs; what clients have shown on them is held against the new authorities. */
export class ServerTls {
  #server: TlsServer | undefined;
  #authorities: AgreedAuthorities;

  private constructor(
    private readonly files: WatchedTlsFiles,
    private readonly asksClients: boolean,
    private readonly handshakeTimeout: number,
  ) {
    this.#authorities = authoritiesIn(files.material, 0);
  }

  /** @param handshakeMs after which a connection that has not agreed on its keys is closed @throws {UnfitCertificate} */
  static async open(config: TlsConfig, handshakeMs: number, log: Pick<Logger, 'info' | 'error'>): Promise<ServerTls> {
    const { certificateFile: certificate, keyFile: key, clientAuthoritiesFile: authorities } = config;
    const files = { certificate, key, ...(authorities === undefined ? {} : { authorities }) };
    const watched = await WatchedTlsFiles.open(files, {
      changed: (material) => {
        tls.#use(material);
        log.info(files, 'the certificate of this server was renewed');
      },
      unfit: (reason) => {
        log.error({ reason }, 'the new certificate of this server does not fit: the old one is used on');
      },
    });
    const tls = new ServerTls(watched, authorities !== undefined, handshakeMs);
    process.on('SIGHUP', tls.#onSignal);
    return tls;
  }

  /** As a server is made with them. A client's certificate decides about nothing by itself, so that who has none can still be told what is missing. */
  get options(): Context & { readonly requestCert: boolean; readonly rejectUnauthorized: false; readonly handshakeTimeout: number } {
    const { asksClients: requestCert, handshakeTimeout } = this;
    return { ...contextOf(this.files.material), requestCert, rejectUnauthorized: false, handshakeTimeout };
  }

  /** By which clients' certificates are verified now. */
  get authorities(): AgreedAuthorities {
    return this.#authorities;
  }

  /** Keeps the server's certificates up to date from now on. */
  keep(server: Server): void {
    if (server instanceof TlsServer) this.#server = server;
  }

  close(): void {
    process.off('SIGHUP', this.#onSignal);
    this.files.close();
  }

  readonly #onSignal = (): void => {
    void this.files.look();
  };

  #use(material: TlsMaterial): void {
    const { pem, version } = this.#authorities;
    if (material.ca !== pem) this.#authorities = authoritiesIn(material, version + 1);
    this.#server?.setSecureContext(contextOf(material));
  }
}

function authoritiesIn({ ca }: TlsMaterial, version: number): AgreedAuthorities {
  return { version, ...(ca === undefined ? {} : { pem: ca }) };
}

/** What connections are agreed on with. */
interface Context extends TlsMaterial {
  readonly minVersion: typeof OLDEST;
}

function contextOf(material: TlsMaterial): Context {
  return { ...material, minVersion: OLDEST };
}
