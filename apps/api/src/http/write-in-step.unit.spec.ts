import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { writeInStep } from './write-in-step.js';

const LARGE = 'x'.repeat(1024 * 1024);

describe('writing in step with the reader', () => {
  it.each(['drain', 'close'])('goes on at %s, and leaves no listener behind', async (sign) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const listeners = (): number[] => ['drain', 'close', 'error'].map((name) => response.listenerCount(name));
    const before = listeners();
    const written = writeInStep(response, LARGE);
    expect(listeners()).not.toEqual(before);
    response.emit(sign);
    await written;
    expect(listeners()).toEqual(before);
  });

  it('does not wait for a reader who has left', async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.destroy();
    await writeInStep(response, LARGE);
  });
});
