/** Which cluster is rehearsed on. */
export interface RehearsedSize {
  readonly nodes: number;
  readonly resources: number;
}

export const nodeNames = ({ nodes }: Pick<RehearsedSize, 'nodes'>): readonly string[] =>
  Array.from({ length: nodes }, (_, index) => `node${index + 1}`);

/** A configuration of primitives that are monitored and may run anywhere, without fencing; without any resource: of nodes that idle. */
export function rehearsedCib(size: RehearsedSize): string {
  const nodes = nodeNames(size).map((name, index) => `<node id="${index + 1}" uname="${name}"/>`);
  const resources = Array.from({ length: size.resources }, (_, index) => primitive(`r${index}`));
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
<crm_config><cluster_property_set id="o"><nvpair id="o-f" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
<nodes>${nodes.join('')}</nodes><resources>${resources.join('')}</resources><constraints/></configuration><status/></cib>`;
}

function primitive(id: string): string {
  return `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy"><operations><op id="${id}-m" name="monitor" interval="10s"/></operations></primitive>`;
}
