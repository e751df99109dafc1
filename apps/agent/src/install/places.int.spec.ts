import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installedPlaces, placesBelow } from './places.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'systole-places-'));
  mkdirSync(join(root, 'etc/systole'), { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

it('an installed agent has its directories where its settings say, else where they are by default', () => {
  expect(installedPlaces(root)).toEqual(placesBelow(root));
  const settings = [
    '# SYSTOLE_STATE_DIR=/not/this',
    'SYSTOLE_STATE_DIR="/srv/systole state"',
    "SYSTOLE_RUN_DIR='/run/other'",
    'SYSTOLE_SERVERS=',
  ];
  writeFileSync(join(root, 'etc/systole/agent.env'), `${settings.join('\n')}\n`);
  expect(installedPlaces(root)).toEqual({ ...placesBelow(root), stateDir: '/srv/systole state', runDir: '/run/other' });
});
