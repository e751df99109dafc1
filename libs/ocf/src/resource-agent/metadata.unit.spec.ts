import { describe, expect, it } from 'vitest';
import { durationMs, MetadataError, parseMetadata } from './metadata.js';

const METADATA = `<?xml version="1.0"?>
<!DOCTYPE resource-agent SYSTEM "ra-api-1.dtd">
<resource-agent name="web" version="2.3">
  <version>1.1</version>
  <longdesc lang="de">Langer Text</longdesc>
  <longdesc lang="en">
A long &lt;text&gt;.
  </longdesc>
  <shortdesc lang="en">A web server</shortdesc>
  <parameters>
    <parameter name="port" required="1" unique="1">
      <shortdesc lang="en">Port</shortdesc>
      <content type="integer" default="80"/>
    </parameter>
    <parameter name="addr" unique-group="address" reloadable="1"><content type="string"/></parameter>
    <parameter name="mode" deprecated="1" private="1">
      <content type="select" default="a"><option value="a"/><option value="b"/></content>
    </parameter>
  </parameters>
  <actions>
    <action name="start" timeout="20s"/>
    <action name="monitor" timeout="1min" interval="10" depth="0" role="Promoted" start-delay="500ms"/>
    <action name="on" automatic="1" on_target="1"/>
  </actions>
</resource-agent>`;

/** Each ten times the one before. */
function entities(count: number): string {
  const names = 'abcdefghijkl';
  return Array.from({ length: count }, (_, index) => `<!ENTITY ${names[index + 1] ?? ''} "${`&${names[index] ?? ''};`.repeat(10)}">`).join(
    '',
  );
}

describe('meta-data of an agent', () => {
  const metadata = parseMetadata(METADATA);

  it('says what the agent is', () => {
    expect(metadata).toMatchObject({
      name: 'web',
      version: '2.3',
      apiVersion: '1.1',
      shortDescription: 'A web server',
      longDescription: 'A long <text>.',
    });
  });

  it('lists its parameters', () => {
    const base = { required: false, reloadable: false, private: false, deprecated: false, options: [] };
    expect(metadata.parameters).toEqual([
      { ...base, name: 'port', required: true, uniqueGroup: 'port', type: 'integer', default: '80', shortDescription: 'Port' },
      { ...base, name: 'addr', uniqueGroup: 'address', reloadable: true, type: 'string' },
      { ...base, name: 'mode', deprecated: true, private: true, type: 'select', default: 'a', options: ['a', 'b'] },
    ]);
  });

  it('lists its actions with times in ms', () => {
    const base = { automatic: false, onTarget: false };
    expect(metadata.actions).toEqual([
      { ...base, name: 'start', timeoutMs: 20_000 },
      { ...base, name: 'monitor', timeoutMs: 60_000, intervalMs: 10_000, startDelayMs: 500, depth: '0', role: 'Promoted' },
      { name: 'on', automatic: true, onTarget: true },
    ]);
  });

  it('that is none is an error that says so', () => {
    expect(() => parseMetadata('usage: web {start|stop}')).toThrow(MetadataError);
    expect(() => parseMetadata('<other/>')).toThrow('no <resource-agent>');
  });

  it.each([
    ['nested without end', `<resource-agent>${'<a>'.repeat(200_000)}`],
    ['cut off', METADATA.slice(0, 400)],
    [
      'of entities that grow',
      `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${entities(9)}]><resource-agent name="&i;"><longdesc>&i;</longdesc></resource-agent>`,
    ],
    [
      'of a file of the node',
      `<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><resource-agent name="x"><longdesc>&a;</longdesc></resource-agent>`,
    ],
    [
      'named like what objects have',
      '<__proto__/><constructor/><resource-agent name="x"><parameters><__proto__ name="a"/></parameters></resource-agent>',
    ],
  ])('that is %s is an error, or says no more than it says', (_, xml) => {
    const beganAt = performance.now();
    try {
      const { parameters, longDescription = '' } = parseMetadata(xml);
      expect(parameters).toEqual([]);
      expect(longDescription.length).toBeLessThan(1_000);
      expect(longDescription).not.toContain('root:');
    } catch (error) {
      expect(error).toBeInstanceOf(MetadataError);
    }
    expect(performance.now() - beganAt).toBeLessThan(2_000);
  });
});

describe('a duration', () => {
  it.each([
    ['20', 20_000],
    ['20s', 20_000],
    [' 2 min ', 120_000],
    ['1h', 3_600_000],
    ['500ms', 500],
    ['1500us', 1],
  ])('%j is %d ms', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['', 'soon', '1 fortnight', undefined])('%j is none', (text) => {
    expect(durationMs(text)).toBeUndefined();
  });
});
