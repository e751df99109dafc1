import { expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { idLookUp } from './part-index.js';

it('whether an id is taken is answered alike for the first who asks and for the thousandth', () => {
  const primitives = Array.from(
    { length: 60 },
    (_, index) => `<primitive id="r${String(index)}"><meta_attributes id="r${String(index)}-m"/></primitive>`,
  );
  const isTaken = idLookUp(
    parseXml(
      `<configuration><crm_config/><resources>${primitives.join('')}</resources><constraints><!-- none --></constraints></configuration>`,
    ),
  );
  const asked = Array.from({ length: 120 }, (_, index) => `r${String(index)}-m`);
  expect(asked.filter(isTaken)).toEqual(asked.slice(0, 60));
  expect(['r1', 'crm_config', 'none', ''].map(isTaken)).toEqual([true, false, false, false]);
});
