import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Timeline } from '../timeline.js';
import { Witness } from './witness.js';

const agent = join(checkout, 'test/chaos/agents/ocf/resource.d/chaos/Witnessed');
let shared = '';
let witness: Witness;
/** A name of its own: the agent finds processes by it on the whole machine. */
let resource = '';

beforeEach(async () => {
  shared = await mkdtemp(join(tmpdir(), 'systole-witness-'));
  resource = `r${process.pid}-${Date.now()}`;
  witness = new Witness(shared, new Timeline(() => undefined));
});

afterEach(async () => {
  for (const node of ['n1', 'n2']) await run('stop', node);
  await rm(shared, { recursive: true });
});

/** @returns the agent's exit code */
async function run(action: string, node: string): Promise<number | undefined> {
  const env = { OCF_RESOURCE_INSTANCE: resource, OCF_RESKEY_directory: shared, SYSTOLE_PID_FILE: `/run/${node}.pid` };
  const { exitCode } = await execa(agent, [action], { env, reject: false });
  return exitCode;
}

describe('the witness of exclusive resources', () => {
  it('sees a resource that moves, and nothing wrong with it', async () => {
    expect(await run('monitor', 'n1')).toBe(7);
    expect(await run('start', 'n1')).toBe(0);
    expect(await run('monitor', 'n1')).toBe(0);
    expect(await run('monitor', 'n2')).toBe(7);
    expect(witness.look()).toEqual([]);
    expect(witness.placesOf(resource)).toEqual(['n1']);
    expect(await run('stop', 'n1')).toBe(0);
    expect(await run('start', 'n2')).toBe(0);
    expect(witness.look()).toEqual([]);
    expect(witness.placesOf(resource)).toEqual(['n2']);
    expect(witness.starts).toBe(2);
  });

  it('says when it is started where it is active elsewhere, and that both live, once', async () => {
    await run('start', 'n1');
    await run('start', 'n2');
    expect(witness.look()).toEqual([`${resource} was started on n2 while it was active on n1`, `${resource} is active on n1 and n2`]);
    expect(witness.look()).toEqual([]);
  });

  it('is content when what held the lock is dead', async () => {
    await run('start', 'n1');
    await execa('pkill', ['-KILL', '-f', `witnessed:${resource}@n1`]);
    await run('start', 'n2');
    expect(witness.look()).toEqual([]);
    expect(witness.placesOf(resource)).toEqual(['n2']);
  });
});
