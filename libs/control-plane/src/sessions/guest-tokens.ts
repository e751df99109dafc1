import { checkIncarnation, reject, remoteNodeNamed, type ClusterState } from '@systole/cluster';
import type { GuestTokenAnswer, GuestTokenRequest } from '@systole/protocol';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { Answer, CallingNode } from './session.js';

export interface GuestTokensParts {
  readonly log: Pick<ClusterLog, 'loadHead'>;
  readonly dispatches: Pick<Dispatches, 'unanswered'>;
  /** Makes a token for a node, in the place of all that it had. @returns its secret */
  readonly replaceToken: (asked: { readonly of: CallingNode; readonly guest: string; readonly correlationId: string }) => Promise<string>;
}

/**
 * Tokens for the agents inside of bundles' containers (docs/decisions/0069-bundles.md). A host is given one for the node of a container that it was told to start, and as long as it has not answered: so a host that was broken into gets
 * none of what runs elsewhere, and what it had been given is worth nothing once the container is started elsewhere.
 */
export class GuestTokens {
  constructor(private readonly parts: GuestTokensParts) {}

  async give(host: CallingNode, { incarnation, guest }: GuestTokenRequest, correlationId: string): Promise<Answer<GuestTokenAnswer>> {
    const { state } = await this.parts.log.loadHead(host.clusterId);
    const refused = checkIncarnation(state, host.node, incarnation);
    if (refused !== undefined) return { ok: false, rejection: refused.rejection };
    if (!(await this.isStarting(host, state, guest))) {
      const message = `${host.node} was not told to start a container of a bundle in which ${guest} is`;
      return { ok: false, rejection: reject(state, 'not-for-this-agent', message, { pointer: '/guest' }).rejection };
    }
    return { ok: true, answer: { secret: await this.parts.replaceToken({ of: host, guest, correlationId }) } };
  }

  private async isStarting({ clusterId, node }: CallingNode, state: ClusterState, guest: string): Promise<boolean> {
    const { bundle, launcher } = remoteNodeNamed(state.cib, guest) ?? {};
    if (bundle === undefined || state.transition === undefined) return false;
    const waiting = await this.parts.dispatches.unanswered(clusterId, state.transition.number);
    return waiting.some(
      ({ node: executor, operation, delivered }) =>
        executor === node && delivered && operation?.resource === launcher && operation?.operation === 'start',
    );
  }
}
