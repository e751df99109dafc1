import { describe, expect, it } from 'vitest';
import { threeNodes } from '../testing/stream.js';
import { toAgentAction } from './agent-action.js';
import { graphOf } from './testing/scenario.js';

const primitive = (id: string, operations: string): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"><operations>${operations}</operations></primitive>`;

/** The stop time-out that comes with a start of `db`. */
function stopTimeout(resources: string, more = ''): number | undefined {
  const [synapse] = graphOf(['1 start db n1']).synapses;
  if (synapse === undefined) throw new Error('the graph is empty');
  return toAgentAction(synapse.action, { epoch: 'c', transition: 1, cib: threeNodes({ resources, more }).cib, now: 0 }).stopTimeoutMs;
}

describe('what an agent is asked to do', () => {
  it('tells how long a stop of the resource may take, as it is configured at this moment', () => {
    const stop = '<op id="s" name="stop" interval="0s" timeout="2min"/>';
    expect(stopTimeout(primitive('db', stop))).toBe(120_000);
    expect(stopTimeout(primitive('db', ''))).toBe(20_000);
    expect(stopTimeout('')).toBe(20_000);
    const defaults = '<op_defaults><meta_attributes id="od"><nvpair id="od-t" name="timeout" value="40s"/></meta_attributes></op_defaults>';
    expect(stopTimeout(primitive('db', ''), defaults)).toBe(40_000);
    expect(stopTimeout(primitive('db', stop), defaults)).toBe(120_000);
    const template = `<template id="t" class="ocf" provider="systole" type="Dummy"><operations>${stop}</operations></template>`;
    expect(stopTimeout(`${template}<primitive id="db" template="t"/>`)).toBe(120_000);
  });
});
