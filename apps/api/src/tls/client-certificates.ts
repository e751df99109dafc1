import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { AgentPrincipal } from '@systole/access';
import { HttpProblem } from '../http/problem.js';

/** The certificate that whoever connected has shown: what it calls its subject (common name and DNS names), or why it is not accepted. */
export type ShownCertificate = { readonly names: readonly string[] } | { readonly refused: string };

/** Whether agents have to show certificates: of their own node always, where they show one at all. */
export type AgentCertificates = 'optional' | 'required';

/**
 * How the front tells the operators' thread, which has its own connection only, of the certificate. Nobody else can reach that thread; what a client sends under
 * this name the front drops.
 */
export const SHOWN_CERTIFICATE_HEADER = 'x-systole-shown-certificate';

/** A certificate that was good when its connection was made. */
interface Accepted {
  readonly certificate: X509Certificate;
  readonly names: readonly string[];
  /** Epoch ms. */
  readonly validTo: number;
  /** Those that it was last verified by, as {@link AgreedAuthorities} counts them. */
  readonly version: number;
}

/** The authorities that clients' certificates are verified by. */
export interface AgreedAuthorities {
  /** PEM, one after another; absent: none. */
  readonly pem?: string;
  /** Another one whenever they have changed. */
  readonly version: number;
}

const NO_AUTHORITIES: AgreedAuthorities = { version: 0 };

/** Certificates of clients, by which an agent's token is bound to its node. A connection lives for as long as its client likes: its certificate counts until it runs out, or its authority is taken away. */
export class ClientCertificates {
  readonly #shown = new WeakMap<Socket, Accepted | { readonly refused: string } | 'none'>();

  /**
   * @param agents undefined: no certificates are asked for
   * @param behind whether this serves what the front passes on
   * @param authorities that are in use now
   * @param now epoch ms
   */
  constructor(
    private readonly agents: AgentCertificates | undefined,
    private readonly behind: boolean,
    private readonly authorities: () => AgreedAuthorities = () => NO_AUTHORITIES,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws {HttpProblem} 403 where an agent does not show the certificate that it has to */
  check({ node }: AgentPrincipal, request: IncomingMessage): void {
    if (this.agents === undefined) return;
    const shown = this.shownBy(request);
    if (shown === undefined) {
      if (this.agents === 'optional') return;
      throw new HttpProblem(
        403,
        'certificate-needed',
        `agents show a certificate here: give the agent on ${node} --cert-file and --key-file`,
      );
    }
    // Nothing was found against it: on another connection it is verified whole, with what lies between it and an authority.
    if ('refused' in shown && shown.refused === VERIFIED_BEFORE)
      throw new HttpProblem(
        503,
        'certificate-not-accepted',
        `the certificate of the agent on ${node} has to be shown again: ${VERIFIED_BEFORE}`,
        {
          headers: { connection: 'close', 'retry-after': '1' },
        },
      );
    if ('refused' in shown) {
      const detail = `the certificate of the agent on ${node} is not accepted (${shown.refused}): give it one of the authority that the server knows`;
      // Another one is shown on another connection only.
      throw new HttpProblem(403, 'certificate-not-accepted', detail, { headers: { connection: 'close' } });
    }
    if (shown.names.includes(node)) return;
    const detail = `the token is for ${node}, and the certificate for ${shown.names.join(', ')}: give each agent the token and the certificate of its own node`;
    throw new HttpProblem(403, 'certificate-for-another-node', detail);
  }

  /** Undefined when none was shown. */
  shownBy(request: IncomingMessage): ShownCertificate | undefined {
    if (this.agents === undefined) return undefined;
    if (this.behind) return toldBy(request);
    const { socket } = request;
    const known = this.#shown.get(socket) ?? shownOn(socket, this.authorities().version) ?? 'none';
    const judged = known === 'none' || 'refused' in known ? known : this.#judgedAgain(known);
    this.#shown.set(socket, judged);
    if (judged === 'none') return undefined;
    return 'refused' in judged ? judged : { names: judged.names };
  }

  /** Who has a certificate of one of the new authorities too, as while old and new ones stand beside each other, goes on. */
  #judgedAgain(accepted: Accepted): Accepted | { readonly refused: string } {
    const now = this.now();
    if (!(now < accepted.validTo)) return { refused: 'it has run out' };
    const { pem = '', version } = this.authorities();
    if (version === accepted.version) return accepted;
    if (isIssuedByOneOf(pem, accepted.certificate, now)) return { ...accepted, version };
    return { refused: VERIFIED_BEFORE };
  }
}

/** Why a connection has to be made anew. */
const VERIFIED_BEFORE = 'the authorities have changed since it was verified: connect anew';

/** Directly; what lies between is for a new connection to show. */
function isIssuedByOneOf(pem: string, certificate: X509Certificate, now: number): boolean {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).some((text) => {
    const authority = new X509Certificate(text);
    const isGood = authority.ca && Date.parse(authority.validFrom) <= now && now < Date.parse(authority.validTo);
    return isGood && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  });
}

/** @returns as the header that tells of it */
export function headerOf(shown: ShownCertificate): string {
  return Buffer.from(JSON.stringify(shown)).toString('base64url');
}

function toldBy({ headers }: IncomingMessage): ShownCertificate | undefined {
  const told = headers[SHOWN_CERTIFICATE_HEADER];
  return typeof told === 'string' ? (JSON.parse(Buffer.from(told, 'base64url').toString()) as ShownCertificate) : undefined;
}

function shownOn(socket: Socket, version: number): Accepted | { readonly refused: string } | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  // Why it is no error: whoever has none, or one of somebody else, may still be a person with a browser.
  if (!socket.authorized) return { refused: String(socket.authorizationError) };
  const names = [...new Set([...commonNames(certificate.subject), ...dnsNames(certificate.subjectAltName)])];
  return { certificate, names, validTo: Date.parse(certificate.validTo), version };
}

/** A subject has a line for each attribute. */
function commonNames(subject: string): readonly string[] {
  return subject.split('\n').flatMap((line) => (line.startsWith('CN=') ? [line.slice('CN='.length)] : []));
}

/** A name with anything strange in it is quoted, and no node's. */
function dnsNames(subjectAltName: string | undefined): readonly string[] {
  return (subjectAltName ?? '').split(', ').flatMap((name) => /^DNS:([A-Za-z0-9._-]+)$/.exec(name)?.[1] ?? []);
}
