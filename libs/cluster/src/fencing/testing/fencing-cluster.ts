import type { ClusterState } from '../../state/cluster-state.js';
import { execute, planned, threeNodes } from '../../testing/stream.js';
import { fencingStep, type FencingOperation } from '../fencing-step.js';

/** XML of a fence device with its parameters. */
export function device(id: string, parameters: Readonly<Record<string, string>> = {}, meta: Readonly<Record<string, string>> = {}): string {
  const pairs = (prefix: string, values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `<nvpair id="${id}-${prefix}${name}" name="${name}" value="${value}"/>`)
      .join('');
  const metas = Object.keys(meta).length === 0 ? '' : `<meta_attributes id="${id}-m">${pairs('m-', meta)}</meta_attributes>`;
  return `<primitive id="${id}" class="stonith" type="fence_test"><instance_attributes id="${id}-p">${pairs('', parameters)}</instance_attributes>${metas}</primitive>`;
}

/** XML of a level of the topology. @param target the attributes that say whose it is */
export function level(index: number, devices: string, target = 'target="n3"'): string {
  return `<fencing-level id="l${String(index)}${devices.replaceAll(/[^a-z0-9]/g, '-')}" index="${String(index)}" devices="${devices}" ${target}/>`;
}

/** A cluster of three joined nodes with fence devices. */
export function fencingCluster(resources: string, levels = '', options = ''): ClusterState {
  return threeNodes({ resources, options, more: levels === '' ? '' : `<fencing-topology>${levels}</fencing-topology>` });
}

/** The same once n3 has lost its lease, and a transition is planned for that. */
export function withLostNode(state: ClusterState): ClusterState {
  return planned(execute(state, { type: 'lose-lease', node: 'n3', incarnation: 1, expiredAt: 'x' }));
}

/** The transition's wish to fence n3. */
export const FENCE_N3: FencingOperation = { transition: 1, graphActionId: 9, target: 'n3', action: 'reboot' };

/** Answers every attempt as told until the operation ends; says which attempts were made. */
export function playFencing(
  start: ClusterState,
  answers: readonly boolean[],
  wanted = FENCE_N3,
): { readonly log: string[]; readonly state: ClusterState } {
  let state = start;
  const log: string[] = [];
  for (const succeeded of [...answers, undefined]) {
    const next = fencingStep(state, wanted);
    if (next.type !== 'request') {
      log.push(
        next.type === 'finished' ? `finished ${next.ok ? 'ok' : 'failed'}` : next.type === 'held' ? `held: ${next.reason}` : next.type,
      );
      break;
    }
    if (succeeded === undefined) break;
    const { device: used, executor, action, target } = next.request;
    log.push(`${action} by ${used} on ${executor}`);
    const fencingId = `f${String(log.length)}`;
    state = execute(state, { type: 'request-fencing', request: { ...next.request, fencingId } });
    state = execute(state, {
      type: 'complete-fencing',
      result: { fencingId, target, action, device: used, executor, outcome: succeeded ? 'succeeded' : 'failed' },
    });
  }
  return { log, state };
}
