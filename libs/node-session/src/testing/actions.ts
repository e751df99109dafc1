import type { AgentAction } from '@systole/protocol';
import type { NodeSettings } from '../state.js';

export const SETTINGS: NodeSettings = {
  agentVersion: '1',
  servers: ['http://a'],
  actionLimit: 4,
  watchdog: false,
  stopTimeoutMs: 1_000,
  bootId: 'boot',
  processStartedMs: 0,
  tokenMark: 'token',
  instance: 'i1',
  seed: 1,
};

export const ACTION_TIMEOUT_MS = 20_000;

/**
 * `<id>:<operation>:<resource>[:<interval>[:<start delay>]]`; the operations `fence` and `cancel` stand for their kinds, and `debug-start` and its like for what a person had tried. A resource may name its agent's type and its
 * parameter `p`: `db/Other/1`.
 */
export function actionOf(text: string): AgentAction {
  const [id = '', operation = '', named = '', interval = '0', delay = '0'] = text.split(':');
  const [resource = '', type = 'Dummy', p] = named.split('/');
  const isTried = operation.startsWith('debug-');
  const kind = isTried ? 'debug' : operation === 'fence' || operation === 'cancel' ? operation : 'operation';
  return {
    actionId: id,
    kind,
    transitionKey: `${id}:1:0:e`,
    operation: kind === 'cancel' ? 'monitor' : operation.replace(/^debug-/, ''),
    intervalMs: Number(interval),
    timeoutMs: ACTION_TIMEOUT_MS,
    ...(delay === '0' ? {} : { startDelayMs: Number(delay) }),
    expectedRc: 0,
    resource: { id: resource, historyId: resource, class: 'ocf', provider: 'systole', type },
    parameters: p === undefined ? {} : { p },
    meta: {},
    ...(kind === 'fence'
      ? { fence: { fencingId: id, target: resource, action: 'off', deviceId: 'power', agent: 'fence_dummy', parameters: {} } }
      : {}),
  };
}
