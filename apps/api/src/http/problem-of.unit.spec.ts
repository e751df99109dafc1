import { LogWentBack } from '@systole/control-plane';
import { FoldContradicted } from '@systole/read-models';
import { describe, expect, it } from 'vitest';
import { problemOf } from './problem-of.js';

describe('a log that went back in time', () => {
  const witness = { epoch: 'c', version: 9, hash: 'h' };

  it.each([new FoldContradicted('c', witness), new LogWentBack('c', witness)])(
    'is for whoever reads it a matter of seconds (%s)',
    (error) => {
      expect(problemOf(error)).toMatchObject({ status: 503, code: 'log-went-back' });
    },
  );
});
