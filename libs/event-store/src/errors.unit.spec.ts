import { describe, expect, it } from 'vitest';
import { SchemaMissing, StoreUnavailable, storeError, TransactionMustRestart } from './errors.js';

const fromPg = (code: string) => Object.assign(new Error('from pg'), { code });

describe('storeError', () => {
  it.each(['42P01', '42883'])('sees in %s that the migrations did not run', (code) => {
    expect(storeError(fromPg(code), 'read')).toBeInstanceOf(SchemaMissing);
  });

  it.each(['40001', '40P01', '23505'])('sees in %s that the transaction must start over', (code) => {
    expect(storeError(fromPg(code), 'append')).toBeInstanceOf(TransactionMustRestart);
  });

  it.each([
    ['ECONNREFUSED', 'unreachable', 'cannot be reached'],
    ['57P03', 'not-open', 'starting or stopping'],
    ['55000', 'not-open', 'takes no connections'],
    ['3D000', 'not-open', 'not there'],
    ['28P01', 'refused', 'refuses the account'],
    ['53300', 'too-many-connections', 'no further connections'],
    ['57014', 'no-answer', 'did not answer in time'],
    ['55P03', 'no-answer', 'did not answer in time'],
    ['25P03', 'no-answer', 'did not answer in time'],
    ['53100', 'disk-full', 'is full'],
    ['53200', 'out-of-memory', 'no memory left'],
    ['58030', 'disk-broken', 'read or write its disk'],
    ['25006', 'read-only', 'takes no writes'],
  ])('knows that nothing was appended after %s, and says why', (code, trouble, words) => {
    const error = storeError(fromPg(code), 'append');
    expect(error).toMatchObject({ name: 'StoreUnavailable', outcome: 'none', trouble });
    expect((error as Error).message).toMatch(new RegExp(`${words}.*; nothing was changed: try again later$`));
  });

  it.each(['ECONNRESET', '57P01', '08006'])('does not know whether an append took place after %s', (code) => {
    expect(storeError(fromPg(code), 'append')).toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown' });
    expect(storeError(fromPg(code), 'read')).toMatchObject({ name: 'StoreUnavailable', outcome: 'none' });
  });

  it.each([
    ['Connection terminated unexpectedly', 'unreachable'],
    ['timeout exceeded when trying to connect', 'no-answer'],
    ['Query read timeout', 'no-answer'],
  ])('knows what pg says without a code: %s', (message, trouble) => {
    expect(storeError(new Error(message), 'append')).toMatchObject({ outcome: 'unknown', trouble });
  });

  it('leaves as it is what has its type already', () => {
    const typed = new StoreUnavailable('none', 'other-installation', {});
    expect(storeError(typed, 'append')).toBe(typed);
  });

  it('leaves every other error as it is', () => {
    const error = new TypeError('not from the database');
    expect(storeError(error, 'append')).toBe(error);
    const syntax = fromPg('42601');
    expect(storeError(syntax, 'read')).toBe(syntax);
  });
});
