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
    ['ISO-8859-1, declared', Buffer.from(xml('ISO-8859-1'), 'latin1'), '\u00e9'],
    ['ISO-8859-5, declared', Buffer.from(xml('ISO-8859-5', '\u00d0'), 'latin1'), '\u0430'],
    ['UTF-16 with a byte order mark', utf16(`\ufeff${xml('UTF-16')}`), '\u00e9'],
    ['UTF-16 of the other order', utf16(`\ufeff${xml('UTF-16')}`).swap16(), '\u00e9'],
  ])('is read in %s', async (_, output, shortDescription) => {
    expect(await printed(output)).toMatchObject({ name: 'X', shortDescription });
  });

  it.each([
    ['ISO-8859-1 and does not declare it', xml('')],
    ['ISO-8859-1, and declares what nobody knows', xml('x-own')],
  ])('is read but for what nobody can say of it when it is in %s', async (_, output) => {
    expect(await printed(Buffer.from(output, 'latin1'))).toMatchObject({ name: 'X', shortDescription: '\ufffd' });
  });

  it('is not read in UTF-16 without a byte order mark, and says so', async () => {
    const error: unknown = await printed(utf16(xml('UTF-16', 'e'))).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(MetadataError);
    expect(error).toMatchObject({
      message: expect.stringContaining('in no encoding that is known: have the agent print it in UTF-8') as string,
    });
  });

  it('is not read where it is too large, though what is left of it looks whole', async () => {
    const most = 4 * 1024 * 1024;
    const padded = (bytes: number): string => `head -c ${String(bytes - BARE.length)} /dev/zero | tr '\\0' ' '; cat ${directory}/output`;
    expect(await read(padded(most), BARE)).toMatchObject({ name: 'X' });
    await expect(read(padded(most + 1), BARE)).rejects.toThrow(`meta-data has ${most + 1} bytes, and at most ${most} are read`);
  });
});
