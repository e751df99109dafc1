import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LeaseFile } from './lease-file.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-lease-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('a lease goes on while the machine is suspended', async () => {
  let uptimeMs = 1_000_000;
  const file = new LeaseFile(join(directory, 'lease'), () => uptimeMs);
  await file.write(200, 15_000);
  uptimeMs += 3_600_000;
  expect(await file.read()).toEqual({ ageMs: 3_600_200, leaseMs: 15_000 });
});

it('a lease that can not be written leaves the one before, and nothing beside it', async () => {
  const file = new LeaseFile(join(directory, 'lease'), () => 1_000_000);
  await file.write(0, 15_000);
  const unwritable = new LeaseFile(join(directory, 'away', 'lease'), () => 1_000_000);
  await unwritable.write(0, 15_000);
  expect(await unwritable.read()).toBeUndefined();
  expect(await file.read()).toEqual({ ageMs: 0, leaseMs: 15_000 });
  expect(readdirSync(directory)).toEqual(['lease']);
});

it('a lease of another boot is none', async () => {
  let uptimeMs = 1_000_000;
  const file = new LeaseFile(join(directory, 'lease'), () => uptimeMs);
  await file.write(0, 15_000);
  uptimeMs = 5_000;
  expect(await file.read()).toBeUndefined();
});
