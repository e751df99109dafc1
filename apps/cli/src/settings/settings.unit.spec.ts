import { describe, expect, it } from 'vitest';
import { UsageError } from '../exit-code.js';
import { resolveSettings } from './settings.js';

const login = { server: 'https://ha.example', token: 'kept', cluster: 'prod' };

describe('resolveSettings', () => {
  it('takes the login when nothing else is given', () => {
    expect(resolveSettings({}, {}, [login])).toEqual(login);
  });

  it('prefers the environment to the login, and flags to both', () => {
    const environment = { SYSTOLE_SERVER: 'http://env:1', SYSTOLE_TOKEN: 'env', SYSTOLE_CLUSTER: 'env' };
    expect(resolveSettings({}, environment, [login])).toEqual({ server: 'http://env:1', token: 'env', cluster: 'env' });
    expect(resolveSettings({ server: 'http://flag:2/', token: 'flag', cluster: 'flag' }, environment, [login])).toEqual({
      server: 'http://flag:2',
      token: 'flag',
      cluster: 'flag',
    });
  });

  it("never sends the login's token to another server", () => {
    expect(() => resolveSettings({ server: 'http://elsewhere' }, {}, [login])).toThrow(UsageError);
    expect(resolveSettings({ server: 'https://ha.example/' }, {}, [login]).token).toBe('kept');
  });

  it('knows the logins of other servers, and takes the first where none is named', () => {
    const other = { server: 'http://other:1', token: 'other' };
    expect(resolveSettings({}, {}, [login, other])).toEqual(login);
    expect(resolveSettings({ server: 'http://other:1' }, {}, [login, other])).toEqual(other);
  });

  it('says what is missing', () => {
    expect(() => resolveSettings({}, {}, [])).toThrow(/systole login/);
    expect(() => resolveSettings({ server: 'ftp://x' }, {}, [])).toThrow(/give its URL/);
  });
});
