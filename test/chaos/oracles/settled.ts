import { unwrapJson } from '@systole/api-client';
import { RESOURCES } from '../faults/fault.js';
import type { ChaosLab } from '../lab/chaos-lab.js';
import type { Witness } from './witness.js';

/** @returns what keeps the cluster from being well, in a line; undefined when every node is online and every resource runs once, in status and in truth */
export async function unsettledBecause(lab: ChaosLab, witness: Witness): Promise<string | undefined> {
  const answer = await lab.client
    .GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: lab.cluster } } })
    .catch(() => undefined);
  if (answer?.data === undefined) return `no status: ${answer === undefined ? 'no answer' : answer.response.status}`;
  const status = unwrapJson(answer);
  const flat = status.resources.flatMap((resource) => (resource.kind === 'primitive' ? [resource] : resource.children));
  const placeOf = new Map(flat.map(({ id, activeOn }) => [id, activeOn]));
  const reasons = [
    ...status.nodes
      .filter(({ online, unclean }) => !online || unclean)
      .map(({ name, online }) => `${name} ${online ? 'unclean' : 'offline'}`),
    ...RESOURCES.flatMap((resource) => {
      const said = placeOf.get(resource)?.join('+') ?? '';
      const seen = witness.placesOf(resource).join('+');
      return said !== '' && said === seen ? [] : [`${resource} said on [${said}], seen on [${seen}]`];
    }),
    ...(status.hold === undefined ? [] : [`hold: ${status.hold}`]),
    ...(status.transition === undefined ? [] : [`transition ${status.transition.number} ${status.transition.status}`]),
    ...(status.settled ? [] : ['status not settled']),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
