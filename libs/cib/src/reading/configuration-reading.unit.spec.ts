import { describe, expect, it } from 'vitest';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { readingOf } from './configuration-reading.js';

const JUNE = Date.UTC(2026, 5, 1);

function nodeWith(condition: string): XmlElement {
  return parseXml(
    '<cib validate-with="none"><configuration><crm_config/><nodes><node id="1" uname="n1"><instance_attributes id="s">' +
      `<rule id="r">${condition}</rule><nvpair id="p" name="standby" value="on"/></instance_attributes></node></nodes><resources/><constraints/></configuration><status/></cib>`,
  );
}

describe('a reading that is kept', () => {
  const standbyAt = (cib: XmlElement, ms: number): string | undefined =>
    readingOf(cib, ms).nodeAttributes({ id: '1', name: 'n1' }, undefined).get('standby');

  it.each([
    ['a moment', '<date_expression id="d" operation="gt" start="2026-06-01"/>', JUNE - 60_000, JUNE + 1000],
    ['a duration', '<date_expression id="d" start="2026-06-01"><duration id="l" hours="1"/></date_expression>', JUNE - 60_000, JUNE],
    ['a time of the day', '<date_expression id="d" operation="gt" start="10:00:00Z"/>', JUNE + 36_000_000, JUNE + 36_001_000],
    [
      'a part of the date',
      '<date_expression id="d" operation="date_spec"><date_spec id="e" minutes="0"/></date_expression>',
      JUNE - 1000,
      JUNE,
    ],
  ])('is not asked about what nobody read before %s turned', (_what, condition, before, after) => {
    const cib = nodeWith(condition);
    expect(readingOf(cib, before).nodes).toHaveLength(1);
    expect(standbyAt(cib, after)).toBe('on');
  });

  it('of the time of a day holds for that day', () => {
    const cib = nodeWith('<date_expression id="d" operation="gt" start="10:00:00Z"/>');
    expect(standbyAt(cib, JUNE + 50_000_000)).toBe('on');
    expect(standbyAt(cib, JUNE + 86_400_000)).toBeUndefined();
  });

  it('is the same one while nothing turns', () => {
    const cib = nodeWith('<date_expression id="d" operation="gt" start="2026-06-01"/>');
    const first = readingOf(cib, JUNE - 60_000);
    expect(readingOf(cib, JUNE - 5000) === first).toBe(true);
    expect(readingOf(cib, JUNE + 1000) === first).toBe(false);
  });
});
