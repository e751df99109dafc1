import { describe, expect, it } from 'vitest';
import { isSecretParameter } from './secret-parameters.js';
import { heldIdIn, heldReference, secretReferenceIn } from './secret-reference.js';

describe('which parameters are secret', () => {
  it('are those whose names say so, however they are written', () => {
    const names = [
      'passwd',
      'password',
      'passwords',
      'tokens',
      'adminPasswords',
      'snmp_priv_passwd',
      'adminPassword',
      'repuserpasswd',
      'rep-pass',
      'community',
      'secret_key',
      'api_token',
      'apikey',
      'pass2',
      'PASSWORD',
      'authkey',
      'authKey',
      'auth_key',
      'authkeys',
      'api_keys',
      'secretkey',
      'accesskey',
      'privkey',
      'snmp_priv_key',
      'encryption_key',
      'preshared_key',
      'sharedsecret',
      'authtoken',
      'hexadecimal_kg',
    ];
    expect(names.filter((name) => !isSecretParameter(name))).toEqual([]);
  });

  it('are not those that tell where a secret is, or something about it', () => {
    const names = [
      'passwd_script',
      'password_file',
      'identity_file',
      'login',
      'ip',
      'passwd_timeout',
      'compass',
      'bypass_mode',
      'token_id',
      'key',
      'keys',
      'key_file',
      'keyfile',
      'authkey_file',
      'auth_key_path',
      'access_key_id',
      'replication_master_ssl_key',
      'named_keytab_file',
      'reservation_key',
      'auth_url',
      'hotkey',
      'kg',
      'secure',
      'x'.repeat(1_000),
    ];
    expect(names.filter((name) => isSecretParameter(name))).toEqual([]);
  });

  it('are those that the settings name, too', () => {
    expect(isSecretParameter('pin', ['pin'])).toBe(true);
    expect(isSecretParameter('vendor_pin_code', ['vendor_*_code'])).toBe(true);
    expect(isSecretParameter('vendor_code', ['vendor_*_code'])).toBe(false);
    expect(isSecretParameter('ab', ['ab*b'])).toBe(false);
  });
});

describe('a reference to a secret', () => {
  it('is read in each of its forms', () => {
    const id = '0f343b0931126a20f133d67c2b018a3b';
    expect(secretReferenceIn(heldReference(id))).toEqual({ kind: 'held', id });
    expect(secretReferenceIn('systole-secret:file:/etc/systole/secrets/db')).toEqual({ kind: 'file', path: '/etc/systole/secrets/db' });
    expect(secretReferenceIn('systole-secret:env:DB_PASSWORD')).toEqual({ kind: 'environment', name: 'DB_PASSWORD' });
    expect(secretReferenceIn('systole-secret:command:vault')).toEqual({ kind: 'command', name: 'vault' });
    expect(secretReferenceIn('lrm://')).toEqual({ kind: 'cibsecret' });
    expect(heldIdIn(heldReference(id))).toBe(id);
  });

  it('is no value, and a value is none', () => {
    expect(secretReferenceIn('geheim')).toBeUndefined();
    expect(secretReferenceIn('SYSTOLE-SECRET:env:X')).toBeUndefined();
    for (const text of [
      'systole-secret:',
      'systole-secret:env:',
      'systole-secret:file:etc/x',
      'systole-secret:env:A B',
      'systole-secret:file:/a\nb',
      'systole-secret:XYZ',
      'lrm://x',
    ]) {
      expect(secretReferenceIn(text), text).toBe('malformed');
    }
  });
});
