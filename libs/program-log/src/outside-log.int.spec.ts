import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { logFormatIn } from './outside-log.js';

const MODULE = new URL('../dist/index.js', import.meta.url).href;

/** What a program writes to stderr, line by line, and how it ends. */
function written(format: string, code: string): { readonly lines: readonly string[]; readonly status: number | null } {
  const program = `const { OutsideLog } = await import('${MODULE}'); const outside = new OutsideLog('a-program', '${format}'); outside.takeOver(); ${code}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return { lines: stderr.trimEnd().split('\n'), status };
}

it('writes each thing that a program says as a line of its log, where that is asked for', () => {
  const { lines, status } = written(
    'json',
    `outside.say('fatal', 'it does\\nnot start', { clusterId: 'c' }); process.emitWarning('old'); setTimeout(() => { throw new Error('broke'); }, 20);`,
  );
  const said = { name: 'a-program', pid: expect.any(Number) as unknown, time: expect.any(Number) as unknown };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { ...said, level: 60, msg: 'it does\nnot start', clusterId: 'c' },
    { ...said, level: 40, msg: 'a warning of Node.js', err: { message: 'old' } },
    { ...said, level: 60, err: { message: 'broke', stack: expect.stringContaining('Error: broke') as unknown } },
  ]);
  expect(status).toBe(1);
});

it('says it to people as it is, otherwise', () => {
  const { lines, status } = written('text', `outside.say('fatal', 'it does not start', { clusterId: 'c' }); process.emitWarning('old');`);
  expect([lines[0], lines[1], status]).toEqual(['it does not start', expect.stringMatching(/^\(node:\d+\) Warning: old$/), 0]);
});

it('knows its formats', () => {
  expect(['json', 'text', '', undefined, 'JSON'].map(logFormatIn)).toEqual(['json', 'text', 'text', 'text', undefined]);
});

it('ends no program whose output can not be written, as on a full file system', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => {
    closeSync(full);
  });
  const program = `
    const { OutsideLog, linesOn } = await import('${MODULE}');
    const { pino } = await import('pino');
    new OutsideLog('a-program', 'text').takeOver();
    const log = pino(linesOn(2));
    for (let line = 0; line < 20_000; line++) log.info('a line that waits, and another one, and more than may wait');
    process.stderr.write('past the log');
    setTimeout(() => process.exit(7), 50);`;
  const args = ['--input-type=module', '-e', program];
  expect(
    spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', full], cwd: fileURLToPath(new URL('..', import.meta.url)) }).status,
  ).toBe(7);
});
