import type { ServerResponse } from 'node:http';
import { isClosed } from './request-context.js';

/** Writes a piece of a long answer, and waits while the client does not read; not for one that has left. */
export async function writeInStep(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || isClosed(response)) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });
}
