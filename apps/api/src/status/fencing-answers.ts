import { Injectable } from '@nestjs/common';
import { ableDevices } from '@systole/cluster';
import type { FencingAnswer } from '@systole/protocol';
import { ClusterStates } from '@systole/read-models';
import { FencingHistory } from './fencing-history.js';

/** What tools are told about fencing: the same by an agent's token and by an operator's. */
@Injectable()
export class FencingAnswers {
  constructor(
    private readonly states: ClusterStates,
    private readonly history: FencingHistory,
  ) {}

  /** @param node name of the node that is meant; undefined: all */
  async about(clusterId: string, node: string | undefined): Promise<FencingAnswer> {
    const state = await this.states.load(clusterId);
    const history = await this.history.of(clusterId, state, node);
    return { history, ...(node === undefined ? {} : { devices: ableDevices(state, node).map(({ id }) => id) }) };
  }
}
