import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { Injections } from '../injections/injections.js';
import { runSimulation } from '../simulation/run-simulation.js';
import type { Reporter, ReportOptions, WriteChunk } from './report-options.js';
import { TextReport } from './text-report.js';
import { XmlReport } from './xml-report.js';

const NOW = 1_700_010_000;
const plain: ReportOptions = { scores: true, utilization: false, quiet: false };

// The secure digest is that of the user alone; that of the fence device says that its parameters are others.
const cib = readCib(`<cib validate-with="pacemaker-4.0" have-quorum="true"><configuration>
    <crm_config/>
    <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
    <resources>
      <primitive id="db" class="ocf" provider="systole" type="Dummy">
        <instance_attributes id="ia"><nvpair id="ia1" name="user" value="bob"/><nvpair id="ia2" name="password" value="new"/></instance_attributes>
      </primitive>
      <primitive id="f" class="stonith" type="fence_demo">
        <meta_attributes id="ma"><nvpair id="ma1" name="provides" value="unfencing"/></meta_attributes>
      </primitive>
    </resources>
    <constraints/>
  </configuration><status>
    <node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="1"><lrm_resources>
      <lrm_resource id="db" class="ocf" provider="systole" type="Dummy">
        <lrm_rsc_op id="db_last_0" operation="start" interval="0" crm_feature_set="3.20.5" call-id="1" rc-code="0" op-status="0"
          transition-key="1:1:0:x" transition-magic="0:0;1:1:0:x" op-digest="0123" op-secure-params="password" op-secure-digest="d3dcddf71be1938ca0ab92f69fe2d270"/>
      </lrm_resource></lrm_resources></lrm></node_state>
    <node_state id="2" uname="n2" in_ccm="false" crmd="offline" join="down" expected="member">
      <transient_attributes id="2"><instance_attributes id="ta"><nvpair id="ta1" name="#digests-all" value="f:fence_demo:0123,"/></instance_attributes></transient_attributes>
    </node_state>
  </status></cib>`);

function report(make: (write: WriteChunk) => Reporter, depth: 'status' | 'plan', injections: Injections = {}): string {
  let text = '';
  const reporter = make((chunk) => (text += chunk.text));
  const planned: Reporter['planned'] = (run) => {
    reporter.scored(run);
  };
  runSimulation(
    cib,
    { depth, now: NOW, clock: NOW, injections },
    {
      current: (cluster) => {
        reporter.current(cluster);
      },
      modified: (changes) => reporter.modified?.(changes),
      reread: (cluster) => reporter.reread?.(cluster),
      planned,
    },
  );
  reporter.finish({ exitCode: 0, message: 'OK', errors: [] });
  return text;
}

const UNFENCING = `Parameters to f for unfencing n2 changed, try 'f:fence_demo:f2317cad3d54cec5d7d7aa7d0bf35cf8'
notice: Unfencing node n2 because the definition of f changed
`;

describe('what is noticed of recorded parameters', () => {
  const text = (options: ReportOptions, depth: 'status' | 'plan', injections?: Injections): string =>
    report((write) => new TextReport(options, 'It is noon', write), depth, injections);

  it('stands before a status if reading noticed it, without a bullet', () => {
    expect(text(plain, 'status')).toMatch(new RegExp(`^It is noon\n${UNFENCING}Current cluster status:\n`));
    expect(text(plain, 'status', { quorum: 'true' })).toMatch(new RegExp(`Setting quorum: true\nIt is noon\n${UNFENCING}$`));
  });

  it('stands among the scores if planning noticed it, and only there', () => {
    const listing = `Assignment Scores:
${UNFENCING}Only 'private' parameters to 0s-interval start for db on n1 changed: 0:0;1:1:0:x
  * pcmk__primitive_assign: db allocation score on n1: 0
`;
    expect(text(plain, 'plan')).toContain(listing);
    expect(text({ ...plain, scores: false }, 'plan')).not.toContain("'private'");
  });

  it('is not for programs', () => {
    expect(text({ ...plain, quiet: true }, 'plan')).toMatch(/^(?:pcmk__primitive_assign: .*\n)+$/);
    expect(report((write) => new XmlReport(plain, '', write), 'plan')).not.toMatch(/private|unfencing/);
  });
});
