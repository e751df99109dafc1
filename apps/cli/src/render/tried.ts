import type { components } from '@systole/api-client';
import { shownAsOneLine } from '@systole/protocol';
import type { Paint } from './paint.js';

type Tried = components['schemas']['TriedOperationDto'];

const NOT_ENDED: Readonly<Record<Exclude<Tried['state'], 'ended'>, string>> = {
  running: 'It goes on, or waits for its turn on the node: "systole events --type DebugOperationEnded" will say what came of it.',
  'never-begun': 'The agent did not begin it in time, and will not.',
  unknown: 'The node was lost, or its agent began anew: nobody knows how far it came. The resource is probed.',
};

/** What an agent said of an operation that was tried. */
export function triedLines(tried: Tried, paint: Paint): readonly string[] {
  const { state, status, rc, exitReason, output, execMs, queueMs } = tried;
  if (state !== 'ended') return [paint('yellow', NOT_ENDED[state])];
  const ended = status === 'done' ? `return code ${String(rc)}` : `${status ?? ''} (return code ${String(rc)})`;
  const waited = queueMs === undefined || queueMs < 1_000 ? '' : `, after it had waited ${String(queueMs)} ms for its turn`;
  return [
    paint(
      status === 'done' && (rc === 0 || rc === 8) ? 'green' : 'red',
      `The agent ended with ${ended}, in ${String(execMs ?? 0)} ms${waited}`,
    ),
    ...(exitReason === undefined ? [] : [`Reason: ${shownAsOneLine(exitReason)}`]),
    ...(output === undefined
      ? ['It printed nothing.']
      : [
          'It printed:',
          ...output
            .trimEnd()
            .split('\n')
            .map((line) => `  ${shownAsOneLine(line)}`),
        ]),
  ];
}
