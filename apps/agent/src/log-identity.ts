import type { JoinAnswer } from '@systole/protocol';

/** Which node of which cluster an agent is, for every line of its log. */
export class LogIdentity {
  #known: Readonly<Record<string, string>> = {};

  /** Nothing before the first join: only the server knows what the token is for. A new object each time: `pino` writes the fields of the line into what `mixin` gives. */
  get known(): Readonly<Record<string, string>> {
    return { ...this.#known };
  }

  joined({ clusterId, clusterName, node }: Pick<JoinAnswer, 'clusterId' | 'clusterName' | 'node'>): void {
    this.#known = { clusterId, cluster: clusterName, node };
  }
}
