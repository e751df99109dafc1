import { checkIncarnation, reject, remoteNodeNamed, type ClusterState, type Rejection } from '@systole/cluster';
import type { GuestTokenAnswer, GuestTokenRequest } from '@systole/protocol';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { Answer, CallingNode } from './session.js';

export interface GuestTokensParts {
  readonly log: Pick<ClusterLog, 'loadHead'>;
  readonly dispatches: Pick<Dispatches, 'unanswered'>;
  /** Makes a token for the node in a container on a host, beside those that it has. */
  readonly makeToken: (asked: ContainerStart) => Promise<{ readonly id: string; readonly secret: string }>;
  /** Withdraws all that the node had before that one. */
  readonly withdrawBefore: (tokenId: string, asked: ContainerStart) => Promise<unknown>;
  readonly withdraw: (tokenId: string, asked: ContainerStart) => Promise<unknown>;
}

/** What a host starts. */
export interface ContainerStart {
  readonly host: CallingNode;
  readonly guest: string;
  /** Id of the resource that the container is. */
  readonly container: string;
  readonly correlationId: string;
}

/**
 * Tokens for the agents inside of bundles' containers (docs/decisions/0069-bundles.md). A host is given one for the node of a container that it was told to start, and as long as it has not answered: so a host that was broken into gets
 * none of what runs elsewhere, and what it had been given is worth nothing once the container has ended (`containersEndedBy`) or is started elsewhere.
 */
export class GuestTokens {
  constructor(private readonly parts: GuestTokensParts) {}

  async give(host: CallingNode, { incarnation, guest }: GuestTokenRequest, correlationId: string): Promise<Answer<GuestTokenAnswer>> {
    const before = await this.starting(host, incarnation, guest);
    if (!before.ok) return before;
    const asked: ContainerStart = { host, guest, container: before.answer, correlationId };
    const { id, secret } = await this.parts.makeToken(asked);
    // What has ended meanwhile has withdrawn the tokens that there were, and not this one; and who was frozen until the container was started elsewhere must not take the token from it.
    const after = await this.starting(host, incarnation, guest);
    if (after.ok && after.answer === before.answer) {
      await this.parts.withdrawBefore(id, asked);
      return { ok: true, answer: { secret } };
    }
    await this.parts.withdraw(id, asked);
    return after.ok ? { ok: false, rejection: notStarting(before.state, host, guest) } : after;
  }

  /** Id of the container that the host was told to start, in this very incarnation, and has not answered. */
  private async starting(
    host: CallingNode,
    incarnation: number,
    guest: string,
  ): Promise<Answer<string> & { readonly state: ClusterState }> {
    const { state } = await this.parts.log.loadHead(host.clusterId);
    const refused = checkIncarnation(state, host.node, incarnation);
    if (refused !== undefined) return { ok: false, rejection: refused.rejection, state };
    const { bundle, launcher } = remoteNodeNamed(state.cib, guest) ?? {};
    const waiting =
      bundle === undefined || state.transition === undefined
        ? []
        : await this.parts.dispatches.unanswered(host.clusterId, state.transition.number);
    const isStarting = waiting.some(
      ({ node, operation, delivered, incarnation: of }) =>
        node === host.node && delivered && of === incarnation && operation?.resource === launcher && operation?.operation === 'start',
    );
    if (launcher === undefined || !isStarting) return { ok: false, rejection: notStarting(state, host, guest), state };
    return { ok: true, answer: launcher, state };
  }
}

function notStarting(state: ClusterState, { node }: CallingNode, guest: string): Rejection {
  const message = `${node} was not told to start a container of a bundle in which ${guest} is`;
  return reject(state, 'not-for-this-agent', message, { pointer: '/guest' }).rejection;
}
