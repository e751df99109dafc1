import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFenceMetadata } from '../fence-agent/execute.js';
import { readAgentMetadata } from './execute.js';
import type { AgentHost } from './host.js';
import { SYSTEM_AGENT_DIRECTORIES } from './lookup.js';
import { MetadataError, type AgentMetadata } from './metadata.js';

const xml = (declared: string, description = '\u00e9'): string =>
  `<?xml version="1.0"${declared === '' ? '' : ` encoding="${declared}"`}?><resource-agent name="X"><shortdesc lang="en">${description}</shortdesc></resource-agent>`;
const BARE = '<resource-agent name="X"></resource-agent>';
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** Of the two kinds of agents: the same output is read in the same way. */
describe.each(['resource', 'fence'])('the meta-data of a %s agent', (kind) => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'metadata-text-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  async function read(script: string, output: string | Buffer = ''): Promise<AgentMetadata> {
    const provider = join(directory, 'resource.d', 'x');
    mkdirSync(provider, { recursive: true });
    writeFileSync(join(directory, 'output'), output);
    writeFileSync(join(provider, 'X'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const host: AgentHost = {
      directories: { ...SYSTEM_AGENT_DIRECTORIES, ocfRoots: [directory] },
      environment: { inherited: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }, resourceTmp: directory, varRun: directory },
    };
    return kind === 'fence'
      ? readFenceMetadata(join(provider, 'X'), host)
      : readAgentMetadata({ id: 'x', class: 'ocf', provider: 'x', type: 'X' }, host);
  }
  const printed = (output: string | Buffer): Promise<AgentMetadata> => read(`cat ${directory}/output`, output);

  it.each([
    ['UTF-8', xml('UTF-8'), '\u00e9'],
    ['UTF-8 with a byte order mark', `\ufeff${xml('utf-8')}`, '\u00e9'],
    ['ASCII, whatever is declared', xml('ISO-8859-1', 'e'), 'e'],
  ])('is read in %s', async (_, output, shortDescription) => {
    expect(await printed(output)).toMatchObject({ name: 'X', shortDescription });
  });

  it.each<[string, Buffer, string]>([
    ['ISO-8859-1, declared', Buffer.from(xml('ISO-8859-1'), 'latin1'), 'is declared as ISO-8859-1 and no UTF-8'],
    ['ISO-8859-1, not declared', Buffer.from(xml(''), 'latin1'), 'is no UTF-8'],
    ['UTF-16 with a byte order mark', utf16(`\ufeff${xml('UTF-16')}`), 'is no UTF-8'],
    ['UTF-16 without one', utf16(xml('UTF-16', 'e')), 'is no UTF-8'],
  ])('is not read in %s, and says so', async (_, output, says) => {
    const error: unknown = await printed(output).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(MetadataError);
    expect(error).toMatchObject({ message: expect.stringContaining(`meta-data ${says}`) as string });
    expect(error).toMatchObject({ message: expect.stringContaining('print it in UTF-8') as string });
  });

  it('is not read where it is too large, though what is left of it looks whole', async () => {
    const most = 4 * 1024 * 1024;
    const padded = (bytes: number): string => `head -c ${String(bytes - BARE.length)} /dev/zero | tr '\\0' ' '; cat ${directory}/output`;
    expect(await read(padded(most), BARE)).toMatchObject({ name: 'X' });
    await expect(read(padded(most + 1), BARE)).rejects.toThrow(`meta-data has ${most + 1} bytes, and at most ${most} are read`);
  });
});
