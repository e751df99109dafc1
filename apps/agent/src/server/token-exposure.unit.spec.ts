import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tokenExposure } from './token-exposure.js';

const directory = mkdtempSync(join(tmpdir(), 'systole-token-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

it.each([
  [0o600, false],
  [0o640, false],
  [0o644, true],
  [0o604, true],
])('A token in a file of mode %o is told to be exposed: %s', (mode, isExposed) => {
  const file = join(directory, 'token');
  writeFileSync(file, 'secret');
  chmodSync(file, mode);
  const told = tokenExposure(file);
  expect(told !== undefined).toBe(isExposed);
  if (isExposed) expect(told).toContain(`chmod 600 ${file}`);
});
