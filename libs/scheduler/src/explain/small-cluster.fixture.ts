/** A CIB of two nodes, `ace` and `king`, without fencing. */
export const clusterOf = (options: string, resources: string, constraints: string, status: string): string => `
  <cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" epoch="1" num_updates="0" admin_epoch="0" have-quorum="1">
    <configuration>
      <crm_config><cluster_property_set id="o">
        <nvpair id="o-fencing" name="stonith-enabled" value="false"/>${options}
      </cluster_property_set></crm_config>
      <nodes><node id="1" uname="ace"/><node id="2" uname="king"/></nodes>
      <resources>${resources}</resources>
      <constraints>${constraints}</constraints>
    </configuration>
    <status>${status}</status>
  </cib>`;

/** State of a member of the cluster. */
export const online = (id: string, name: string, inside = ''): string =>
  `<node_state id="${id}" uname="${name}" in_ccm="true" crmd="online" join="member" expected="member">${inside}</node_state>`;

export const dummy = (id: string, meta: Readonly<Record<string, string>> = {}): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"><meta_attributes id="${id}-meta">${Object.entries(meta)
    .map(([name, value]) => `<nvpair id="${id}-${name}" name="${name}" value="${value}"/>`)
    .join('')}</meta_attributes></primitive>`;

export const prefers = (id: string, rsc: string, node: string, score: string): string =>
  `<rsc_location id="${id}" rsc="${rsc}" node="${node}" score="${score}"/>`;

/** Digest of an empty parameter set (specification 01 §11). */
const NO_PARAMETERS = 'f2317cad3d54cec5d7d7aa7d0bf35cf8';

/** History of one resource on a node: each operation with its call id in order. */
export const history = (
  nodeId: string,
  resource: string,
  ...entries: readonly { readonly operation: string; readonly interval?: number; readonly rc?: number }[]
): string =>
  `<lrm id="${nodeId}"><lrm_resources><lrm_resource id="${resource}" class="ocf" provider="systole" type="Dummy">${entries
    .map(({ operation, interval = 0, rc = 0 }, index) => {
      const id = interval > 0 ? `${resource}_${operation}_${String(interval)}` : `${resource}_last_0`;
      const call = String(index + 1);
      return `<lrm_rsc_op id="${id}" operation_key="${resource}_${operation}_${String(interval)}" operation="${operation}" crm_feature_set="3.20.5" transition-key="${call}:1:0:u" transition-magic="0:${String(rc)};${call}:1:0:u" call-id="${call}" rc-code="${String(rc)}" op-status="0" op-digest="${NO_PARAMETERS}" interval="${String(interval)}"/>`;
    })
    .join('')}</lrm_resource></lrm_resources></lrm>`;
