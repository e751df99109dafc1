import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GUEST_META } from '@systole/cib';
import type { Job, OperationJob } from '@systole/node-session';
import type { GuestTokenAnswer, GuestTokenRequest } from '@systole/protocol';
import { ServerUnavailable } from '../server/server-connection.js';

/** What the scheduler writes for Pacemaker's own executor inside of the container, and what there is for it here. */
const PACEMAKERS_KEY = /(^|\s)-v \/etc\/pacemaker\/authkey:\/etc\/pacemaker\/authkey(?=\s|$)/;
const PACEMAKERS_PROGRAM = '/usr/sbin/pacemaker-remoted';
const PROGRAM = 'systole-agent';
/** Where the container finds what its agent needs. */
const INSIDE = '/run/systole-guest';

/** The names that containers of bundles may have: one is a directory here, and a word of a command line. */
const NAME = /^[\w\u0080-\uffff][\w.\-\u0080-\uffff]*$/u;
const TRIES_EVERY_MS = 500;

export interface GuestContainersParts {
  /** Of what is mounted into the containers, a directory each; goes with a reboot. */
  readonly directory: string;
  readonly serverUrls: readonly string[];
  /** By which servers are verified; absent: by those that Node knows. */
  readonly authoritiesFile?: string;
  readonly server: { guestToken(url: string, request: GuestTokenRequest, signal?: AbortSignal): Promise<GuestTokenAnswer> };
  /** Of this node; undefined while it has none. */
  readonly session: () => { readonly url: string; readonly incarnation: number } | undefined;
}

export type Prepared = { readonly ok: true; readonly job: Job } | { readonly ok: false; readonly problem: string };

/**
 * Containers of bundles in which an agent is to run: each start has the server make a token for the node inside, puts it where the container finds it, and says in the options of the engine where that is. In the parameters that
 * everybody else sees stands what Pacemaker would do; the token is only in a file that root reads, and goes when the container is stopped.
 */
export class GuestContainers {
  constructor(private readonly parts: GuestContainersParts) {}

  /** The job as it is to run here; as it is where it is none of a bundle's container. Never rejects. */
  async prepared(job: Job, abort: AbortSignal): Promise<Prepared> {
    if (job.kind === 'fence') return { ok: true, job };
    const { operation } = job;
    const guest = operation.meta[GUEST_META];
    if (guest === undefined) return { ok: true, job };
    if (!NAME.test(guest)) return { ok: false, problem: `'${guest}' can't be the name of a node in a container` };
    try {
      const directory = join(this.parts.directory, guest);
      if (operation.operation === 'stop') await rm(directory, { recursive: true, force: true });
      if (operation.operation !== 'start')
        return { ok: true, job: { ...job, operation: { ...operation, parameters: this.parametersOf(operation, guest) } } };
      const unreachable = unreachableFrom(operation, this.parts.serverUrls);
      if (unreachable !== undefined) return { ok: false, problem: unreachable };
      const secret = await this.token(guest, operation.timeoutMs / 2, abort);
      await this.put(directory, secret);
      return { ok: true, job: { ...job, operation: { ...operation, parameters: this.parametersOf(operation, guest) } } };
    } catch (error) {
      return {
        ok: false,
        problem: `the agent in the container of ${guest} has no token: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }

  /** @throws what the last attempt did, when all have failed in time */
  private async token(guest: string, withinMs: number, abort: AbortSignal): Promise<string> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const session = this.parts.session();
      try {
        if (session === undefined) throw new ServerUnavailable('this node has no connection to the cluster');
        return (await this.parts.server.guestToken(session.url, { incarnation: session.incarnation, guest }, abort)).secret;
      } catch (error) {
        if (!(error instanceof ServerUnavailable) || abort.aborted || performance.now() > deadline) throw error;
        await sleep(TRIES_EVERY_MS);
      }
    }
  }

  private async put(directory: string, secret: string): Promise<void> {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(join(directory, 'token'), secret, { mode: 0o600 });
    const { authoritiesFile } = this.parts;
    if (authoritiesFile !== undefined) await copyFile(authoritiesFile, join(directory, 'ca.pem'));
  }

  private parametersOf({ parameters }: OperationJob, guest: string): Readonly<Record<string, string>> {
    const { serverUrls, authoritiesFile, directory } = this.parts;
    const options = [
      (parameters['run_opts'] ?? '').replace(PACEMAKERS_KEY, ''),
      `-v ${join(directory, guest)}:${INSIDE}:ro`,
      ...[`-e SYSTOLE_NODE=${guest}`, `-e SYSTOLE_SERVERS=${serverUrls.join(',')}`, `-e SYSTOLE_TOKEN_FILE=${INSIDE}/token`],
      ...(authoritiesFile === undefined ? [] : [`-e SYSTOLE_CA_FILE=${INSIDE}/ca.pem`]),
    ];
    const command = parameters['run_cmd'];
    return { ...parameters, run_opts: options.join(' '), ...(command === PACEMAKERS_PROGRAM ? { run_cmd: PROGRAM } : {}) };
  }
}

/** Why no agent in a container of its own network finds a server; undefined when one may. */
function unreachableFrom({ parameters }: OperationJob, serverUrls: readonly string[]): string | undefined {
  if (/(^|\s)--net=host(?=\s|$)/.test(parameters['run_opts'] ?? '')) return undefined;
  const isOwn = (host: string): boolean => host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
  if (!serverUrls.every((url) => isOwn(new URL(url).hostname))) return undefined;
  return `the container has a network of its own, and finds no server at ${serverUrls.join(', ')}: give this node's agent the server's address, or the container network="host"`;
}
