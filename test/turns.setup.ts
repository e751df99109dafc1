import { setImmediate as turn } from 'node:timers';
import { afterEach } from 'vitest';

/**
 * Between two tests the event loop turns. Tests that compute and wait for nothing follow one another without that, and a process that is silent to Vitest for a minute, as a file of them can be on a
 * slow machine, fails the whole run though all of its tests pass ("Timeout calling onTaskUpdate").
 */
afterEach(
  () =>
    new Promise<void>((resolve) => {
      turn(resolve);
    }),
);
