import type { OperationDraft, ResourceDraft, ScenarioDraft } from './scenario-draft.js';

/** A resource that a bundle implies: container, address or connection (specification 02 §8.3 to §8.7). */
export interface ImpliedResource {
  readonly agent: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly ops: readonly OperationDraft[];
}

const monitor = (interval: string, timeout?: string): OperationDraft => ({
  attributes: { name: 'monitor', interval, ...(timeout === undefined ? {} : { timeout }) },
  sets: [],
});

/** The resource of that id that a bundle with an address range implies; bundles that are given as XML are not looked at. */
export function impliedByBundle(draft: ScenarioDraft, id: string): ImpliedResource | undefined {
  for (const [name, bundle] of draft.resources) {
    if (bundle.name === 'bundle' && id.startsWith(`${name}-`)) return partOf(name, bundle, id.slice(name.length + 1));
  }
  return undefined;
}

function partOf(name: string, bundle: ResourceDraft, part: string): ImpliedResource | undefined {
  const [container, network] = bundle.before;
  const engine = container?.name ?? '';
  const range = network?.attributes['ip-range-start'];
  if (range === undefined) return undefined;
  const settings = container?.attributes ?? {};
  const replicas = Number(settings['replicas'] ?? settings['promoted-max'] ?? 1);
  const addresses = Array.from({ length: replicas }, (_, index) => addressAfter(range, index));
  if (part.startsWith('ip-')) {
    const params = { ip: part.slice(3), cidr_netmask: '32' };
    return { agent: { class: 'ocf', provider: 'heartbeat', type: 'IPaddr2' }, params, ops: [monitor('60s')] };
  }
  const index = Number(part.replace(`${engine}-`, ''));
  const address = addresses[index];
  if (address === undefined) return undefined;
  if (part.startsWith(engine)) {
    const params = {
      image: settings['image'] ?? '',
      allow_pull: 'true',
      force_kill: 'false',
      reuse: 'false',
      run_opts: runOptions(name, engine, index, addresses),
      mount_points: `/var/log/pacemaker/bundles/${name}-${index}`,
      run_cmd: '/usr/sbin/pacemaker-remoted',
      monitor_cmd: '/bin/true',
    };
    return { agent: { class: 'ocf', provider: 'heartbeat', type: engine }, params, ops: [monitor('60s')] };
  }
  return {
    agent: { class: 'ocf', provider: 'pacemaker', type: 'remote' },
    params: { addr: address, port: '3121' },
    ops: [monitor('30s', '30s')],
  };
}

function runOptions(name: string, engine: string, index: number, addresses: readonly string[]): string {
  return [
    engine === 'docker' ? ' --restart=no' : '',
    ` -h ${name}-${index} -e PCMK_stderr=1 -e PCMK_remote_port=3121`,
    ' -v /etc/pacemaker/authkey:/etc/pacemaker/authkey',
    ` -v /var/log/pacemaker/bundles/${name}-${index}:/var/log`,
    ` -p ${addresses[index] ?? ''}:3121:3121 `,
    ...addresses.map((address, replica) => ` --add-host=${name}-${replica}:${address}`),
  ].join('');
}

/** The address so many places behind the first one, within one network. */
function addressAfter(first: string, index: number): string {
  const at = first.lastIndexOf('.') + 1;
  return `${first.slice(0, at)}${Number(first.slice(at)) + index}`;
}
