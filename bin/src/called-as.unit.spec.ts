import { expect, it } from 'vitest';
import { calledAs } from './called-as.js';

it.each([
  ['/opt/node_modules/.bin/systole-server', 'systole-server'],
  ['/usr/lib/systole-server/bin/systole-server.js', 'systole-server'],
  ['/opt/systole/bin/start.js', 'npm start --'],
  ['/opt/systole-server/bin/start.js', 'npm start --'],
])('%s is called as %s', (program, expected) => {
  expect(calledAs(program)).toBe(expected);
});
