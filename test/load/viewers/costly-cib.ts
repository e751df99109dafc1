/** A valid CIB that takes a second or so to schedule: primitives in a chain of colocations, nodes on which each has to be probed. */
export function costlyCib(primitives: number, nodes: number): string {
  const all = (count: number, make: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => make(index)).join('\n');
  const primitive = (r: number): string =>
    `<primitive id="r${r}" class="ocf" provider="systole" type="Dummy"><operations><op id="r${r}-m" name="monitor" interval="10s" timeout="5s"/></operations></primitive>`;
  return `<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0" have-quorum="1"><configuration><crm_config/>
<nodes>${all(nodes, (n) => `<node id="${n + 1}" uname="n${n + 1}"/>`)}</nodes>
<resources>${all(primitives, primitive)}</resources>
<constraints>${all(primitives - 1, (r) => `<rsc_colocation id="c${r}" rsc="r${r}" with-rsc="r${r + 1}" score="100"/>`)}</constraints></configuration>
<status>${all(nodes, (n) => `<node_state id="${n + 1}" uname="n${n + 1}" in_ccm="true" crmd="online" join="member" expected="member"/>`)}</status></cib>`;
}
