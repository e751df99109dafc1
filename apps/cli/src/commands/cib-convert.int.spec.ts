import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../exit-code.js';
import { run } from '../program.js';

const OLD = `<cib admin_epoch="0" epoch="1" num_updates="0" have_quorum="true" num_peers="2">
<configuration>
<crm_config><cluster_property_set id="o"><attributes><nvpair id="p" name="stonith_enabled" value="true"/></attributes></cluster_property_set></crm_config>
<nodes/>
<resources><primitive id="a" class="lsb" type="x"/><primitive id="b" class="lsb" type="x"/></resources>
<constraints><rsc_order id="late" from="a" to="b"/></constraints>
</configuration>
</cib>
`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-convert-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Without a server, and without a login. */
async function convert(args: readonly string[], stdin = OLD): Promise<Outcome> {
  let out = '';
  let err = '';
  const code = await run(['cib', 'convert', ...args], {
    environment: { SYSTOLE_CONFIG: join(directory, 'none.json') },
    home: directory,
    stdin: Readable.from([stdin]),
    write: (text) => {
      out += text;
    },
    complain: (line) => {
      err += `${line}\n`;
    },
    interactive: false,
    interrupted: new AbortController().signal,
  });
  return { code, out, err };
}

describe('systole cib convert', () => {
  it('writes the converted document to standard output, and what it changed to standard error', async () => {
    const { code, out, err } = await convert(['-']);
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('<nvpair id="p" name="stonith-enabled" value="true"/>');
    expect(out).toContain('<rsc_order id="late" first="b" then="a"/>');
    expect(err).toContain(
      `rewritten: line 6, /cib/configuration/constraints/rsc_order[@id='late']: from="a" to="b" is first="b" then="a" now\n`,
    );
    expect(err).toContain('dropped: line 1, /cib: num_peers="2"');
    // What came out is current, and goes through as it is.
    const again = await convert(['-'], out);
    expect(again).toEqual({ code: EXIT.ok, out, err: '' });
  });

  it('writes to a file, and says the same as JSON', async () => {
    const [from, to] = [join(directory, 'old.xml'), join(directory, 'new.xml')];
    await writeFile(from, OLD);
    const { out, err } = await convert([from, '--output', to, '--json']);
    expect(err).toBe('');
    const said = JSON.parse(out) as { readonly changes: readonly object[] };
    expect(said).toMatchObject({ problems: [], doubts: [] });
    expect(said.changes).toContainEqual(expect.objectContaining({ kind: 'rewritten', element: 'rsc_order', id: 'late', line: 6 }));
    expect(said).not.toHaveProperty('document');
    expect(await readFile(to, 'utf8')).toContain('first="b"');
    expect(JSON.parse((await convert(['-', '--json'])).out)).toHaveProperty('document', expect.stringContaining('first="b"'));
  });

  it('ends with 1 where it refuses the document, with all that is wrong, and with 2 where it can read none', async () => {
    const refused = await convert(['-'], OLD.replace('from="a"', 'from="a" first="a"').replace('class="lsb"', 'class="heartbeat"'));
    expect(refused).toMatchObject({ code: EXIT.failed, out: '' });
    expect(refused.err).toContain(
      `refused: line 6, /cib/configuration/constraints/rsc_order[@id='late']: from: from="a" to="b" is given beside first`,
    );
    expect(refused.err).toContain('heartbeat can not be run');
    for (const text of [
      '<cib',
      '<x/>',
      '<cib validate-with="pacemaker-9.0"/>',
      OLD.replace('<cib', '<!DOCTYPE cib [<!ENTITY a "b">]><cib'),
    ]) {
      expect((await convert(['-'], text)).code).toBe(EXIT.usage);
    }
    expect((await convert([join(directory, 'missing.xml')])).code).toBe(EXIT.usage);
  });

  it('shows what would steer a terminal', async () => {
    const { err } = await convert(['-'], OLD.replace('num_peers="2"', 'num_peers="\u009b31m\u202e"'));
    expect(err).not.toMatch(/[\u0080-\u009f\u202e]/);
  });

  it('tells what an import would take only with --force', async () => {
    expect((await convert(['-'], OLD.replace('stonith_enabled', 'stonith_enabld'))).err).toMatch(
      /error: line 3, .*stonith_enabld.*--force/,
    );
  });
});
