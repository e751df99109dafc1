import { readCib } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { expect, it } from 'vitest';
import { renderStatus } from './render-status.js';

it('a connection that says that it is internal is not listed (internal_rsc)', () => {
  const shown = (value: string): string =>
    renderStatus(
      readState(
        readCib(`<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
          <crm_config/><nodes><node id="1" uname="n1"/></nodes><resources>
            <primitive id="r1" class="ocf" provider="pacemaker" type="remote"><meta_attributes id="m"><nvpair id="m-i" name="internal_rsc" value="${value}"/></meta_attributes></primitive>
          </resources><constraints/></configuration><status/></cib>`),
        { now: 1_700_010_000 },
      ),
      'current',
      {},
    );
  expect(shown('false')).toContain('r1\t(ocf:pacemaker:remote)');
  expect(shown('true')).not.toContain('r1\t(ocf:pacemaker:remote)');
});
