import { expect, it } from 'vitest';
import { rememberedReading } from './remembered-readings.js';

const documentOf = (name: string): string =>
  `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes><node id="1" uname="${name}"/></nodes><resources/><constraints/></configuration></cib>`;

it('a document that was just read is not read again, also one that is refused', () => {
  const first = rememberedReading(documentOf('n1'));
  expect(first.ok).toBe(true);
  expect(rememberedReading(documentOf('n1'))).toBe(first);
  const refused = rememberedReading('<cib/>');
  expect(refused.ok).toBe(false);
  expect(rememberedReading('<cib/>')).toBe(refused);
});

it('a few documents are remembered, those that were asked for last', () => {
  const first = rememberedReading(documentOf('n1'));
  for (const name of ['n2', 'n3']) rememberedReading(documentOf(name));
  expect(rememberedReading(documentOf('n1'))).toBe(first);
  for (const name of ['n4', 'n5', 'n6']) rememberedReading(documentOf(name));
  expect(rememberedReading(documentOf('n1'))).not.toBe(first);
});
