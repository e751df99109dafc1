import { carriableText } from '@systole/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from './inputs.js';
import { reduced, resultOf } from './result.js';
import { actionOf } from './testing/actions.js';

const action = actionOf('1:start:web');
const execution = { resultId: 'r', callId: 1, queueMs: 0, recurring: false };
const printed = (text: string): Outcome => ({
  status: 'done',
  rc: 1,
  exitReason: text,
  output: text,
  startedAtMs: 0,
  execMs: 1,
});
/** Any sequence of UTF-16 code units, of control characters and of halves of characters. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x20 }), fc.integer({ min: 0xd800, max: 0xdfff })))
  .map((units) => String.fromCharCode(...units));

describe('the report about an execution', () => {
  it("shows what of the program's words XML can't hold", () => {
    const { exitReason, output } = resultOf(action, printed('\u001b[31mno disk\u0000\uffff'), execution);
    expect([exitReason, output]).toEqual(['\u241b[31mno disk\u2400\ufffd', '\u241b[31mno disk\u2400\ufffd']);
  });

  it('holds the beginning of the reason and the end of the output, in whole characters', () => {
    const { exitReason, output } = resultOf(action, printed(`a${'😀'.repeat(3_000)}b`), execution);
    expect(exitReason).toBe(`a${'😀'.repeat(499)}`);
    expect(output).toBe(`${'😀'.repeat(1_999)}b`);
  });

  it('can be carried to the server and into the CIB, whatever the program prints', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { exitReason = '', output = '' } = resultOf(action, printed(text), execution);
        expect([carriableText(exitReason), carriableText(output)]).toEqual([exitReason, output]);
      }),
    );
  });

  it('holds the digests of the action, or what came of them when it was run', () => {
    const asked = { ...action, digests: { opDigest: 'd' } };
    const brought = { opDigest: 'd', opForceRestart: ' a ', opRestartDigest: 'r' };
    expect(resultOf(asked, printed(''), execution).digests).toEqual({ opDigest: 'd' });
    expect(resultOf(asked, { ...printed(''), digests: brought }, execution).digests).toEqual(brought);
  });

  it('says that something was left out when it had to be', () => {
    const whole = resultOf({ ...action, digests: { opDigest: 'd' } }, printed('disk'), execution);
    const less = reduced(whole, 'too long');
    expect(less).toMatchObject({ status: 'done', rc: 1, exitReason: 'left out, as the server refused the whole result: too long' });
    expect([less?.output, less?.digests]).toEqual([undefined, undefined]);
    expect(reduced(resultOf(action, { status: 'done', rc: 0, output: '', startedAtMs: 0, execMs: 1 }, execution), 'x')).toBeUndefined();
  });
});
