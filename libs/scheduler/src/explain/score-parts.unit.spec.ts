import { addScores, readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';
import type { ScoreEntry } from '../schedule-result.js';
import { clusterOf, dummy, history, online, prefers } from './small-cluster.fixture.js';

function explained(xml: string): readonly ScoreEntry[] {
  return schedule(readCib(xml), { now: 1_700_000_000, explain: true }).scores;
}

/** `amount text` for each part of a line of the listing. */
function parts(scores: readonly ScoreEntry[], resource: string, node: string, phase = 'pcmk__primitive_assign'): readonly string[] {
  const entry = scores.find((line) => line.phase === phase && line.resource === resource && line.node === node);
  return (entry?.parts ?? []).map(({ amount, text }) => `${String(amount)} ${text}`);
}

describe('the parts of a score', () => {
  it('name constraint, stickiness and failures', () => {
    const failed = `<transient_attributes id="1"><instance_attributes id="t1"><nvpair id="t1-f" name="fail-count-web#monitor_10000" value="2"/></instance_attributes></transient_attributes>`;
    const running = history('1', 'web', { operation: 'start' });
    const scores = explained(
      clusterOf(
        '<nvpair id="o-fs" name="failure-stickiness-enabled" value="true"/>',
        dummy('web', { 'resource-stickiness': '100', 'resource-failure-stickiness': '-100' }),
        prefers('web-likes-ace', 'web', 'ace', '200'),
        online('1', 'ace', failed + running) + online('2', 'king'),
      ),
    );
    expect(parts(scores, 'web', 'ace')).toEqual(['200 location web-likes-ace', '-200 failures: 2 x -100', '100 stickiness: it runs there']);
    expect(parts(scores, 'web', 'king')).toEqual([]);
  });

  it('name colocations from both ends, and whom a preference came through', () => {
    const scores = explained(
      clusterOf(
        '',
        dummy('ip') + dummy('web') + dummy('log'),
        '<rsc_colocation id="web-with-ip" rsc="web" with-rsc="ip" score="INFINITY"/>' +
          '<rsc_colocation id="log-with-web" rsc="log" with-rsc="web" score="INFINITY"/>' +
          prefers('log-likes-king', 'log', 'king', '50'),
        online('1', 'ace') + online('2', 'king'),
      ),
    );
    expect(parts(scores, 'ip', 'king')).toEqual(['50 preference of log through web (colocation log-with-web)']);
    expect(parts(scores, 'web', 'ace')).toEqual(['-1000000 colocation web-with-ip with ip']);
  });

  it('are one where placement took two steps for one cause, and name the group where it is what ties', () => {
    const bundle =
      '<bundle id="box"><docker image="box:1" replicas="1"/><network control-port="9999" ip-range-start="192.0.2.10"/>' +
      `${dummy('inside')}</bundle><group id="pair">${dummy('first')}${dummy('second')}</group>`;
    const scores = explained(clusterOf('', bundle, '', online('1', 'ace') + online('2', 'king')));
    expect(parts(scores, 'inside:0', 'box-0')).toEqual(['1000000 the inside of a bundle runs on the node of its replica']);
    const [member] = scores.filter(({ resource, score }) => resource === 'second' && score < 0);
    expect(member?.parts?.map(({ text }) => text)).toEqual(['together with first, before it in the group']);
  });

  it('add up to the score in every line, promotion scores included', () => {
    const scores = explained(
      clusterOf(
        '',
        `<clone id="db"><meta_attributes id="db-m"><nvpair id="db-p" name="promotable" value="true"/></meta_attributes>${dummy('server')}</clone>${dummy('ip')}`,
        '<rsc_colocation id="ip-with-db" rsc="ip" with-rsc="db" with-rsc-role="Promoted" score="200"/>' +
          prefers('ip-likes-king', 'ip', 'king', 'INFINITY') +
          '<rsc_location id="db-promoted" rsc="db"><rule id="db-r" role="Promoted" score="40"><expression id="db-e" attribute="#uname" operation="eq" value="ace"/></rule></rsc_location>',
        ['1', '2']
          .map((id) =>
            online(
              id,
              id === '1' ? 'ace' : 'king',
              `<transient_attributes id="${id}"><instance_attributes id="t${id}"><nvpair id="t${id}-p" name="master-server" value="10"/></instance_attributes></transient_attributes>`,
            ),
          )
          .join(''),
      ),
    );
    expect(scores.length).toBeGreaterThan(10);
    for (const { score, parts: found } of scores) {
      expect((found ?? []).reduce((sum, { amount }) => addScores(sum, amount), 0)).toBe(score);
    }
    // Dependents of the promoted role count twice (specification 05 §12.4).
    const ip = '200 preference of ip (colocation ip-with-db)';
    expect(parts(scores, 'server:0', 'king', 'promotion')).toEqual([ip, '10 promotion score of server:0', ip]);
    expect(parts(scores, 'server:1', 'ace', 'promotion')).toEqual(['10 promotion score of server:1', '40 location db-promoted']);
  });

  it('are not given unless asked for', () => {
    const cib = readCib(clusterOf('', dummy('web'), prefers('l', 'web', 'ace', '5'), online('1', 'ace') + online('2', 'king')));
    expect(schedule(cib, { now: 1 }).scores.filter((line) => line.parts !== undefined)).toEqual([]);
  });
});
