/** A document without anything in it. */
export const EMPTY_CIB = `<cib crm_feature_set="3.19.0" validate-with="pacemaker-3.9" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config/>
    <nodes/>
    <resources/>
    <constraints/>
  </configuration>
  <status/>
</cib>
`;
