import { describe, expect, it } from 'vitest';
import { lsbAction, lsbReason, lsbToOcf } from './lsb.js';
import { readLsbHeader } from './lsb-header.js';

describe('an init script', () => {
  it('is asked for its status by a monitor', () => {
    expect(lsbAction('monitor')).toBe('status');
    expect(lsbAction('start')).toBe('start');
  });

  it.each([
    ['monitor', 0, 0],
    ['monitor', 1, 7],
    ['monitor', 2, 7],
    ['monitor', 3, 7],
    ['monitor', 4, 1],
    ['monitor', 150, 1],
    ['start', 0, 0],
    ['start', 5, 5],
    ['start', 6, 6],
    ['stop', 1, 1],
    ['stop', 99, 1],
  ])('%s that exits with %d means %d', (operation, code, rc) => {
    expect(lsbToOcf(operation, code)).toBe(rc);
  });

  it.each([
    ['monitor', 2, /lock file/],
    ['monitor', 4, /does not know whether/],
    ['monitor', 150, /status with 150/],
    ['start', 99, /start with 99/],
  ])('%s that exits with %d says what that is', (operation, code, reason) => {
    expect(lsbReason(operation, code)).toMatch(reason);
  });

  it('says nothing of what everybody knows', () => {
    for (const [operation, code] of [
      ['monitor', 0],
      ['monitor', 3],
      ['stop', 1],
    ] as const)
      expect(lsbReason(operation, code)).toBeUndefined();
  });

  it('describes itself in its header, if it has one', () => {
    const header =
      '#!/bin/sh\n### BEGIN INIT INFO\n# Provides:          web\n# Short-Description: a web\n# Description:       of pages\n#   and more\n### END INIT INFO\n';
    expect(readLsbHeader(header)).toEqual({ provides: 'web', shortDescription: 'a web', description: 'of pages and more' });
    expect(readLsbHeader('#!/bin/sh\nexit 0\n')).toBeUndefined();
  });
});
