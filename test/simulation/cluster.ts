export const CLUSTER = 'c';
export const NODES = ['n1', 'n2', 'n3'];
/** Resources that may be active in one place only. */
export const SINGLE = ['db', 'web', 'ip'];
export const EVERYWHERE = 'ping';

export interface Options {
  readonly fencing: boolean;
  /** Watchdogs are the fencing, instead of the device. */
  readonly watchdogs?: true;
  readonly deadtimeS: number;
  /** Longer than any of the stops takes; else the default. */
  readonly downMarginS?: number;
  /** Not managed: `cluster` (all), or `db`, `service`, `pings`. */
  readonly unmanaged?: string;
}

/** What may be put into maintenance, and a node. */
export const MAINTAINABLE = ['cluster', 'db', 'service', 'pings'];

/** The configuration of all runs: three nodes, a fence device, a primitive, a group and a clone with notifications. */
export function cibWith({ fencing, watchdogs, deadtimeS, downMarginS, unmanaged }: Options): string {
  const meta = (id: string): string => (unmanaged === id ? `<nvpair id="${id}-u" name="is-managed" value="false"/>` : '');
  const set = (id: string, pairs: string): string => (pairs === '' ? '' : `<meta_attributes id="${id}-meta">${pairs}</meta_attributes>`);
  const nodes = NODES.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('');
  const notified = set('pings', `<nvpair id="pings-notify" name="notify" value="true"/>${meta('pings')}`);
  const resources =
    (watchdogs === true ? '' : '<primitive id="fencing" class="stonith" type="fence_simulated"/>') +
    `${dummy('db', 5, set('db', meta('db')))}<group id="service">${set('service', meta('service'))}${dummy('ip', 6)}${dummy('web', 7)}</group><clone id="pings">${notified}${dummy(EVERYWHERE, 8)}</clone>`;
  const constraints =
    '<rsc_location id="l1" rsc="db" node="n1" score="100"/><rsc_colocation id="c1" rsc="service" with-rsc="db" score="-50"/>' +
    '<rsc_order id="r1" first="db" then="service" kind="Optional"/><rsc_order id="r2" first="pings" then="db"/>';
  const options =
    `<nvpair id="o1" name="stonith-enabled" value="${String(fencing)}"/>` +
    `<nvpair id="o2" name="dc-deadtime" value="${String(deadtimeS)}s"/>` +
    `<nvpair id="o3" name="maintenance-mode" value="${String(unmanaged === 'cluster')}"/>` +
    (watchdogs === true ? '<nvpair id="o5" name="fencing-watchdog-timeout" value="-1"/>' : '') +
    (downMarginS === undefined ? '' : `<nvpair id="o4" name="systole-down-margin" value="${String(downMarginS)}s"/>`);
  return (
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
    `<crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config><nodes>${nodes}</nodes>` +
    `<resources>${resources}</resources><constraints>${constraints}</constraints></configuration><status/></cib>`
  );
}

function dummy(id: string, monitorS: number, meta = ''): string {
  return (
    `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${meta}<operations>` +
    `<op id="${id}-m" name="monitor" interval="${String(monitorS)}s" timeout="20s"/></operations></primitive>`
  );
}
