import { readingOf, serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { decide } from './decide.js';

const stopsAll = ({ cib }: ClusterState): boolean => readingOf(cib, 0).options.flag('stop-all-resources');

describe('a cluster that is to be stopped and deleted', () => {
  it.each([
    ['nothing is configured', ''],
    ['another set says otherwise', option('stop-all-resources', 'false')],
  ])('stops everything, also when %s, and is as before when that is called off', (_, options) => {
    const before = threeNodes({ options });
    const stopping = execute(before, { type: 'stop-cluster', reason: 'moved' });
    expect(stopping.stopping).toMatchObject({ reason: 'moved' });
    expect(stopsAll(stopping)).toBe(true);
    expect(stopping.recompute).toBeDefined();
    expect(decide({ type: 'stop-cluster' }, stopping)).toEqual({ ok: true, events: [] });
    const cancelled = execute(stopping, { type: 'cancel-stop' });
    expect(cancelled.stopping).toBeUndefined();
    expect(stopsAll(cancelled)).toBe(false);
  });

  it('keeps what stood there', () => {
    const with_ = (value: string): ClusterState => {
      const state = threeNodes();
      const set = `<cluster_property_set id="cib-bootstrap-options"><nvpair id="s" name="stop-all-resources" value="${value}"/></cluster_property_set>`;
      const cib = serializeXml(state.cib).replace('<crm_config>', `<crm_config>${set}`);
      return execute(state, { type: 'replace-configuration', cib });
    };
    const configurationOf = ({ cib }: ClusterState): string => /<crm_config>.*<\/crm_config>/s.exec(serializeXml(cib))?.[0] ?? '';
    for (const value of ['true', 'false']) {
      const before = with_(value);
      const called = execute(before, { type: 'stop-cluster' }, { type: 'cancel-stop' });
      expect(configurationOf(called)).toBe(configurationOf(before));
    }
  });

  it('takes no configuration that would start something again, and any other', () => {
    const before = threeNodes();
    const stopping = execute(before, { type: 'stop-cluster' });
    expect(decide({ type: 'replace-configuration', cib: serializeXml(before.cib) }, stopping)).toMatchObject({
      ok: false,
      rejection: { code: 'cluster-stopping', status: 409 },
    });
    const repaired = serializeXml(stopping.cib).replace(
      '<resources/>',
      '<resources><primitive id="f" class="stonith" type="x"/></resources>',
    );
    expect(decide({ type: 'replace-configuration', cib: repaired }, stopping).ok).toBe(true);
  });

  const untilNight = '<rule id="r" boolean-op="and"><date_expression id="d" operation="lt" end="2099-01-01"/></rule>';
  const bootstrap = (content: string): string => `<cluster_property_set id="cib-bootstrap-options">${content}</cluster_property_set>`;
  const pair = '<nvpair id="s" name="stop-all-resources" value="true"/>';
  const configured = (state: ClusterState, options: string): string =>
    serializeXml(state.cib).replace(/<crm_config>.*<\/crm_config>|<crm_config\/>/s, `<crm_config>${options}</crm_config>`);

  it.each([
    ['holds until a date', bootstrap(`${untilNight}${pair}`)],
    ['holds by another set alone', `<cluster_property_set id="other">${pair}</cluster_property_set>`],
    [
      'is written elsewhere, with a date',
      bootstrap('').replace('/>', `/><cluster_property_set id="x" score="9">${untilNight}${pair}</cluster_property_set>`),
    ],
    ['is written twice', bootstrap(`<nvpair id="t" name="stop-all-resources" value="false"/>${pair}`)],
    ['refers to a pair', `<cluster_property_set id="other">${pair}</cluster_property_set>${bootstrap('<nvpair id-ref="s"/>')}`],
  ])('takes no configuration where the stop %s: time or other changes could undo it', (_, options) => {
    const stopping = execute(threeNodes(), { type: 'stop-cluster' });
    const cib = configured(stopping, options);
    expect(decide({ type: 'replace-configuration', cib }, stopping)).toMatchObject({ ok: false, rejection: { code: 'cluster-stopping' } });
  });

  it('does not rely on a stop that has an end', () => {
    const state = threeNodes();
    const ending = `<cluster_property_set id="x">${untilNight}${pair}</cluster_property_set>`;
    const stopped = execute(state, { type: 'replace-configuration', cib: configured(state, ending) });
    expect(stopsAll(stopped)).toBe(true);
    const stopping = execute(stopped, { type: 'stop-cluster' });
    expect(readingOf(stopping.cib, Date.parse('2100-01-01')).options.flag('stop-all-resources')).toBe(true);
    expect(serializeXml(execute(stopping, { type: 'cancel-stop' }).cib)).not.toContain('id="cib-bootstrap-options-stop-all-resources"');
  });

  it('is refused where a rule would keep it from being in force; a call that nobody made is not called off', () => {
    const state = threeNodes();
    const set =
      '<cluster_property_set id="cib-bootstrap-options"><rule id="r" boolean-op="and"><date_expression id="d" operation="gt" start="2099-01-01"/></rule></cluster_property_set>';
    const cib = serializeXml(state.cib).replace('<crm_config>', `<crm_config>${set}`);
    const ruled = execute(state, { type: 'replace-configuration', cib });
    expect(decide({ type: 'stop-cluster' }, ruled)).toMatchObject({ ok: false, rejection: { code: 'invalid-configuration' } });
    expect(decide({ type: 'cancel-stop' }, ruled)).toMatchObject({ ok: false, rejection: { code: 'cluster-not-stopping' } });
  });
});
