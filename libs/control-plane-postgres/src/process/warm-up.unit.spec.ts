import type { Report, Scheduling } from '@systole/control-plane';
import { describe, expect, it } from 'vitest';
import { warmUp } from './warm-up.js';

/** Says what was reported. */
function reporting(): { readonly report: Report; readonly said: readonly (readonly [level: string, details: object, message: string])[] } {
  const said: (readonly [string, object, string])[] = [];
  const saying = (level: string) => (details: object, message: string) => {
    said.push([level, details, message]);
  };
  return { report: { info: saying('info'), warn: saying('warn') }, said };
}

const schedulingBy = (schedule: Scheduling['schedule']): Scheduling => ({
  version: 'test',
  schedule,
  graphFrom: () => Promise.reject(new Error('nothing is read in this test')),
});

describe('a thread that makes itself quick', () => {
  it('says what went wrong, and goes on', async () => {
    const { report, said } = reporting();
    const scheduling = schedulingBy(() => Promise.reject(new Error('the scheduler is broken')));
    await warmUp({ scheduling, report }).ended;
    expect(said).toEqual([
      [
        'warn',
        { err: expect.objectContaining({ message: 'the scheduler is broken' }) as Error, tookMs: expect.any(Number) as number },
        expect.stringContaining('could not be rehearsed'),
      ],
    ]);
  });

  it('ends when it is told to, at whatever it is', async () => {
    const { report, said } = reporting();
    let planning = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      planning = resolve;
    });
    const scheduling = schedulingBy(async () => {
      planning();
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('too late to matter');
    });
    const warming = warmUp({ scheduling, report });
    await begun;
    await warming.end();
    expect(said).toEqual([['info', { why: 'the process ends', tookMs: expect.any(Number) as number }, 'the rehearsal was ended early']]);
  });
});
