import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleAction as action, sampleResult as result } from '../testing/samples.js';
import { decodeJournal } from './encoding.js';
import { Journal } from './journal.js';

describe('the journal file', () => {
  let directory: string;
  let path: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'systole-journal-'));
    path = join(directory, 'state', 'journal');
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it('is the same after being opened again', async () => {
    const { journal } = await Journal.open(path);
    const one = action(1, 'start', 'a');
    await Promise.all([
      journal.append({ kind: 'intent', action: one, incarnation: 1 }),
      journal.append({ kind: 'result', result: result(one, 0), incarnation: 1 }),
    ]);
    await journal.close();
    const reopened = (await Journal.open(path)).journal;
    expect(reopened.state).toEqual(journal.state);
    await reopened.close();
  });

  it('goes on after a line that was not completely written', async () => {
    const { journal } = await Journal.open(path);
    await journal.append({ kind: 'stopped', historyId: 'x' });
    await journal.close();
    writeFileSync(path, `${readFileSync(path, 'utf8')}1234`);
    const second = (await Journal.open(path)).journal;
    await second.append({ kind: 'executed', actionIds: ['z'] });
    await second.close();
    expect(decodeJournal(readFileSync(path)).records).toEqual([
      { kind: 'stopped', historyId: 'x' },
      { kind: 'executed', actionIds: ['z'] },
    ]);
  });

  it('puts a damaged file aside and goes on with what was readable', async () => {
    const { journal } = await Journal.open(path);
    await journal.append(
      { kind: 'executed', actionIds: ['a'] },
      { kind: 'executed', actionIds: ['b'] },
      { kind: 'executed', actionIds: ['c'] },
    );
    await journal.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"b"', '"x"'));
    const opened = await Journal.open(path);
    expect([...opened.journal.state.executed]).toEqual(['a']);
    expect(opened.damagedCopy).toBeDefined();
    expect(readdirSync(join(directory, 'state'))).toHaveLength(2);
    await opened.journal.close();
  });

  it('is compacted when it grows, and loses nothing by that', async () => {
    const { journal } = await Journal.open(path, 5_000);
    for (let id = 0; id < 60; id += 1) {
      const one = action(id, 'start', `r${id % 3}`);
      await journal.append({ kind: 'intent', action: one, incarnation: 1 });
      await journal.append({ kind: 'result', result: result(one, 0), incarnation: 1 });
      await journal.append({ kind: 'acknowledged', resultIds: [`res-act${id}`] });
    }
    const { state } = journal;
    await journal.close();
    expect(readFileSync(path).length).toBeLessThan(12_000);
    const reopened = (await Journal.open(path)).journal;
    expect(reopened.state).toEqual(state);
    await reopened.close();
  });
});
