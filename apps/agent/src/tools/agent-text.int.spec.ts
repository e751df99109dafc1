import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentText } from './agent-text.js';

const TEXT = '<resource-agent name="f"><actions><action name="off"/></actions></resource-agent>\n';

describe('what a fence agent says of itself', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'agent-text-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function textOf(name: string, script: string): Promise<string | undefined> {
    await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return agentText(`stonith:${name}`, {}, { ...SYSTEM_AGENT_DIRECTORIES, fence: [directory] });
  }

  it('is read of one that takes standard input only', async () => {
    const script = `[ $# -eq 0 ] || exit 3\ncase "$(cat)" in *action=metadata*) printf '%s\\n' '${TEXT.trim()}';; *) exit 1;; esac`;
    expect(await textOf('fence_input', script)).toBe(TEXT);
  });

  it('is not said to be missing where it is there and can not be read', async () => {
    const failure = textOf('fence_utf16', `cat >/dev/null; printf '<\\000a\\000/\\000>\\000'`);
    await expect(failure).rejects.toMatchObject({
      name: 'ToolFailure',
      exitCode: 65,
      message: expect.stringContaining('in no encoding that is known') as string,
    });
  });

  it.each([
    ['fails', 'cat >/dev/null; echo text; exit 1'],
    ['says nothing', 'cat >/dev/null'],
  ])('is nothing where it %s', async (_, script) => {
    expect(await textOf('fence_bad', script)).toBeUndefined();
  });
});
