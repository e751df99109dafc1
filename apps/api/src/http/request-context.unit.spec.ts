import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { whenClosed } from './request-context.js';

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('what is done when a response is closed', () => {
  it('is done once, when it closes', () => {
    const open = response();
    const done = vi.fn();
    whenClosed(open, done);
    expect(done).not.toHaveBeenCalled();
    open.emit('close');
    open.emit('close');
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('is done at once when the client left before', async () => {
    const left = response();
    left.destroy();
    await turn();
    const done = vi.fn();
    whenClosed(left, done);
    expect(done).toHaveBeenCalledTimes(1);
  });
});
