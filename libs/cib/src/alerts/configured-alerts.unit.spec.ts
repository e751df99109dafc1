import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { alertCalls, hasAlerts } from './configured-alerts.js';

const NOON = Date.UTC(2026, 5, 1, 12);

function calls(alerts: string, now = NOON) {
  return alertCalls(
    parseXml(
      `<cib><configuration><crm_config/><nodes/><resources/><constraints/><alerts>${alerts}</alerts></configuration><status/></cib>`,
    ),
    now,
  );
}

const meta = (id: string, ...pairs: readonly (readonly [string, string])[]): string => set('meta_attributes', id, pairs);
const options = (id: string, ...pairs: readonly (readonly [string, string])[]): string => set('instance_attributes', id, pairs);

function set(kind: string, id: string, pairs: readonly (readonly [string, string])[], rule = ''): string {
  const values = pairs.map(([name, value], index) => `<nvpair id="${id}-${String(index)}" name="${name}" value="${value}"/>`);
  return `<${kind} id="${id}">${rule}${values.join('')}</${kind}>`;
}

describe('the alerts of a configuration', () => {
  it('are called without a recipient where they have none, with the defaults', () => {
    const [call] = calls('<alert id="a" path="/bin/page"/>');
    expect(call).toEqual({
      ...{ alert: 'a', path: '/bin/page', timeoutMs: 30_000, timestampFormat: '%H:%M:%S.%06N', options: {} },
      select: { kinds: new Set(['node', 'fencing', 'resource']) },
    });
  });

  it('are called once for each recipient, whose values go before those of the alert', () => {
    const found = calls(
      `<alert id="a" path="/bin/page">${meta('m', ['timeout', '5s'], ['timestamp-format', '%s'])}${options('o', ['to', 'all'], ['by', 'mail'])}
        <recipient id="r1" value="x"/><recipient id="r2" value="y">${meta('m2', ['timeout', '2min'])}${options('o2', ['to', 'one'])}</recipient></alert>`,
    );
    expect(
      found.map(({ recipient, timeoutMs, timestampFormat, options: given }) => [recipient, timeoutMs, timestampFormat, given]),
    ).toEqual([
      [{ id: 'r1', value: 'x' }, 5_000, '%s', { to: 'all', by: 'mail' }],
      [{ id: 'r2', value: 'y' }, 120_000, '%s', { to: 'one', by: 'mail' }],
    ]);
  });

  it('are not called when they are not enabled, nor are recipients that are not', () => {
    const off = meta('m', ['enabled', 'false']);
    expect(calls(`<alert id="a" path="/p">${off}<recipient id="r" value="x"/></alert>`)).toEqual([]);
    expect(
      calls(`<alert id="a" path="/p"><recipient id="r" value="x">${off}</recipient></alert>`),
      'not without a recipient instead',
    ).toEqual([]);
  });

  it('take their values by rules', () => {
    const rule = '<rule id="u" score="1"><date_expression id="e" operation="gt" start="2026-06-01 13:00:00Z"/></rule>';
    const alert = `<alert id="a" path="/p">${set('meta_attributes', 'm', [['enabled', 'false']], rule)}</alert>`;
    expect(calls(alert)).toHaveLength(1);
    expect(calls(alert, NOON + 2 * 3_600_000)).toHaveLength(0);
  });

  it('are for what they select; for all but attributes when they say nothing', () => {
    const selected = (select: string): readonly [readonly string[], readonly string[] | undefined] => {
      const [call] = calls(`<alert id="a" path="/p">${select}</alert>`);
      return [[...(call?.select.kinds ?? [])], call?.select.attributes === undefined ? undefined : [...call.select.attributes]];
    };
    expect(selected('<select/>')).toEqual([['node', 'fencing', 'resource'], undefined]);
    expect(selected('<select><select_fencing/><select_nodes/></select>')).toEqual([['fencing', 'node'], undefined]);
    expect(selected('<select><select_attributes/></select>')).toEqual([['attribute'], undefined]);
    expect(selected('<select><select_attributes><attribute id="t" name="temp"/></select_attributes><select_resources/></select>')).toEqual([
      ['attribute', 'resource'],
      ['temp'],
    ]);
  });

  it('time out by the default where the text means nothing, and within an hour', () => {
    const timeout = (text: string) => calls(`<alert id="a" path="/p">${meta('m', ['timeout', text])}</alert>`)[0]?.timeoutMs;
    expect([timeout('soon'), timeout('0'), timeout('PT1M'), timeout('100h')]).toEqual([30_000, 30_000, 60_000, 3_600_000]);
  });

  it('may be none', () => {
    expect(hasAlerts(parseXml('<cib><configuration/></cib>'))).toBe(false);
    expect(calls('')).toEqual([]);
  });
});
