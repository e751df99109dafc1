import { StreamableFile, type ExecutionContext } from '@nestjs/common';
import { firstValueFrom, of } from 'rxjs';
import { expect, it } from 'vitest';
import { LongAnswers } from './long-answers.js';

it('writes long JSON bit by bit, and leaves texts, which are in another form, as they are', async () => {
  const answer = (body: unknown): Promise<unknown> =>
    firstValueFrom(new LongAnswers().intercept({} as ExecutionContext, { handle: () => of(body) }));
  const text = `<a>${' '.repeat(2_000_000)}</a>`;
  expect(await answer(text)).toBe(text);
  expect(await answer({ text })).toBeInstanceOf(StreamableFile);
  expect(await answer({ text: '' })).toEqual({ text: '' });
});
