import { NODES, type MaintenanceScope, type ResourceName } from '../faults/fault.js';

/** A name of the configuration that means nothing to the cluster; the writing client counts in it. */
const WRITES_PROPERTY = 'chaos-writes';
/** So many writes in a row leave the wandering resource where it is. */
const WRITES_PER_MOVE = 4;
/** Rounds follow one another every twenty seconds: after the two fencings that are the default, every later one, rightful or wrong, would be withheld. */
const FENCING_LIMIT = '100%';

/** The configuration with that number of the writing client; each few numbers a resource is to move to the next node. */
export function withWrite(cib: string, number: number): string {
  const node = NODES[Math.floor(number / WRITES_PER_MOVE) % NODES.length] ?? NODES[0];
  return cib
    .replace(new RegExp(`(name="${WRITES_PROPERTY}" value=)"\\d+"`), (_, before: string) => `${before}"${number}"`)
    .replace(/(rsc="mail" node=)"[^"]*"/, (_, before: string) => `${before}"${node}"`);
}

/** The configuration with that scope in maintenance, or not. */
export function withMaintenance(cib: string, scope: MaintenanceScope, on: boolean): string {
  return cib.replace(new RegExp(`(id="maintenance-${scope}" name="[^"]*" value=)"[^"]*"`), (_, before: string) => `${before}"${on}"`);
}

/** The configuration with nothing in maintenance. */
export function withoutMaintenance(cib: string): string {
  return cib.replace(/(id="maintenance-[^"]*" name="[^"]*" value=)"true"/g, (_, before: string) => `${before}"false"`);
}

/** @param shared directory of the witness and of the fence device's notes */
export function clusterConfiguration(shared: string): string {
  const maintenance = (scope: MaintenanceScope, name: string): string => `<nvpair id="maintenance-${scope}" name="${name}" value="false"/>`;
  const primitive = (id: ResourceName): string => `<primitive id="${id}" class="ocf" provider="chaos" type="Witnessed">
    <instance_attributes id="${id}-p"><nvpair id="${id}-p-directory" name="directory" value="${shared}"/></instance_attributes>
    <meta_attributes id="${id}-m">${maintenance(id, 'maintenance')}</meta_attributes>
    <operations><op id="${id}-monitor" name="monitor" interval="4s" timeout="20s"/></operations>
  </primitive>`;
  const option = (name: string, value: string): string => `<nvpair id="option-${name}" name="${name}" value="${value}"/>`;
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="options">
      ${option('stonith-enabled', 'true')}${option('startup-fencing', 'false')}${option('stonith-timeout', '20s')}
      ${option('dc-deadtime', '10s')}${option('systole-fencing-limit', FENCING_LIMIT)}${option(WRITES_PROPERTY, '0')}${maintenance('cluster', 'maintenance-mode')}
    </cluster_property_set></crm_config>
    <nodes>${NODES.map((name, index) => `<node id="${index + 1}" uname="${name}"><instance_attributes id="${name}-a">${maintenance(name, 'maintenance')}</instance_attributes></node>`).join('')}</nodes>
    <resources>
      <primitive id="fencing" class="stonith" type="fence_chaos">
        <instance_attributes id="fencing-p">
          <nvpair id="fencing-p-hosts" name="pcmk_host_list" value="${NODES.join(' ')}"/>
          <nvpair id="fencing-p-directory" name="directory" value="${shared}"/>
        </instance_attributes>
        <operations><op id="fencing-monitor" name="monitor" interval="30s" timeout="20s"/></operations>
      </primitive>
      ${primitive('database')}
      <group id="service">${primitive('address')}${primitive('web')}</group>
      ${primitive('queue')}${primitive('mail')}
    </resources>
    <constraints>
      <rsc_location id="database-prefers-n1" rsc="database" node="n1" score="100"/>
      <rsc_location id="mail-wanders" rsc="mail" node="n1" score="500"/>
      <rsc_colocation id="service-away-from-database" rsc="service" with-rsc="database" score="-200"/>
      <rsc_order id="database-before-service" first="database" then="service" kind="Optional"/>
    </constraints>
    <rsc_defaults><meta_attributes id="defaults"><nvpair id="defaults-stickiness" name="resource-stickiness" value="50"/></meta_attributes></rsc_defaults>
  </configuration></cib>`;
}
