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

  it.each(['ECONNREFUSED', '57P03', '53300', '57014', '55P03', '25P03'])('knows that nothing was appended after %s', (code) => {
    expect(storeError(fromPg(code), 'append')).toEqual(new StoreUnavailable('none', {}));
  });

  it.each(['ECONNRESET', '57P01', '08006'])('does not know whether an append took place after %s', (code) => {
    expect(storeError(fromPg(code), 'append')).toEqual(new StoreUnavailable('unknown', {}));
    expect(storeError(fromPg(code), 'read')).toEqual(new StoreUnavailable('none', {}));
  });

  it('knows the messages that pg gives without a code', () => {
    expect(storeError(new Error('Connection terminated unexpectedly'), 'append')).toBeInstanceOf(StoreUnavailable);
    expect(storeError(new Error('timeout exceeded when trying to connect'), 'append')).toBeInstanceOf(StoreUnavailable);
  });

  it('leaves every other error as it is', () => {
    const error = new TypeError('not from the database');
    expect(storeError(error, 'append')).toBe(error);
    const syntax = fromPg('42601');
    expect(storeError(syntax, 'read')).toBe(syntax);
  });
});
