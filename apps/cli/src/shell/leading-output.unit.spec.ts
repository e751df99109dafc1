import { expect, it } from 'vitest';
import { withOutputAfterCommand } from './leading-output.js';

it.each([
  ['--output json status', 'status --output json'],
  ['--output=json status --watch', 'status --watch --output=json'],
  ['--cluster prod --output yaml node list', '--cluster prod node list --output yaml'],
  ['--json --output yaml node exec a -- ls --output b', '--json node exec a --output yaml -- ls --output b'],
  ['--cluster --output status', '--cluster --output status'],
  ['status --output json', 'status --output json'],
  ['-- --output json', '-- --output json'],
  ['--output', '--output'],
  ['', ''],
])('"%s" is understood as "%s"', (given, understood) => {
  expect(withOutputAfterCommand(given.split(' ')).join(' ')).toBe(understood);
});
