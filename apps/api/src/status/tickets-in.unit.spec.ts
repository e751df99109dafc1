import { parseXml } from '@systole/cib';
import { expect, it } from 'vitest';
import { ticketsIn } from './tickets-in.js';

it('tickets are told with what else is known of them, and with what depends on them', () => {
  const cib = parseXml(
    '<cib><configuration><constraints><rsc_ticket id="k" rsc="db" ticket="b"/></constraints></configuration><status><tickets>' +
      '<ticket_state id="a" granted="true" last-granted="1700000000" booth-cfg-name="booth"/></tickets></status></cib>',
  );
  expect(ticketsIn(cib)).toEqual([
    {
      ...{ id: 'a', granted: true, standby: false, lastGranted: '2023-11-14T22:13:20.000Z', attributes: { 'booth-cfg-name': 'booth' } },
      constraints: [],
    },
    { id: 'b', granted: false, standby: false, constraints: ['k'] },
  ]);
});
