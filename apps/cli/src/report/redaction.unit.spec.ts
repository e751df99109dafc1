import { describe, expect, it } from 'vitest';
import { Redaction, REMOVED } from './redaction.js';

const text = (given: string): string => new Redaction().text(given);

describe('what a report leaves out of a text', () => {
  it.each([
    ['a password that is assigned', 'mysql password=geheim1 ok', `mysql password=${REMOVED} ok`],
    ['one in the environment of a container', '--env PGPASSWORD=geheim1 --env A=b', `--env PGPASSWORD=${REMOVED} --env A=b`],
    ['an odd one', '<docker options="--env PGPASSWORD=Top&amp;Secret1 -e A=b"/>', `<docker options="--env PGPASSWORD=${REMOVED} -e A=b"/>`],
    ['one that begins oddly', 'PGPASSWORD=)x9,k2 ok', `PGPASSWORD=${REMOVED} ok`],
    ['an option of a program', 'ran fence_x --password geheim1 --action off', `ran fence_x --password ${REMOVED} --action off`],
    ['one that is quoted', `password: "ge heim" rest`, `password: "${REMOVED}" rest`],
    ['one that is told in words', `the password is "geheim" now`, `the password is "${REMOVED}" now`],
    ['JSON within a text', String.raw`{"password":"geheim1","a":"b"}`, `{"password":"${REMOVED}","a":"b"}`],
    ['JSON within JSON', String.raw`{\"password\":\"geheim1\",\"a\":1}`, String.raw`{\"password\":\"${REMOVED}\",\"a\":1}`],
    ['one behind another name', 'error: login failed: user=a password=geheim1', `error: login failed: user=a password=${REMOVED}`],
    ['a parameter of a URL', 'GET /x?token=abcdef&y=1', `GET /x?token=${REMOVED}&y=1`],
    ['the password of a URL', 'postgres://u:p@ss@db:5432/x', `postgres://u:${REMOVED}@db:5432/x`],
    ['the password of a URL without a user', 'redis://:geheim1@cache/0', `redis://:${REMOVED}@cache/0`],
    ['a bearer token', 'sent Bearer abcdefgh.12345678', `sent Bearer ${REMOVED}`],
    ['a header', 'Authorization: Basic dXNlcjpwdw==\nHost: a', `Authorization: ${REMOVED}\nHost: a`],
    ['a token of this product', `got systole_${'a'.repeat(43)}.`, `got ${REMOVED}.`],
    ['the secret of a webhook', `whsec_${'a'.repeat(32)} is it`, `${REMOVED} is it`],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_', REMOVED],
    [
      'a private key',
      '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
      `-----BEGIN PRIVATE KEY-----${REMOVED}-----END PRIVATE KEY-----\n`,
    ],
    [
      'a pair of a configuration',
      '<nvpair id="a" name="passwd" value="ge&amp;heim"/>',
      `<nvpair id="a" name="passwd" value="${REMOVED}"/>`,
    ],
    ['whichever stands first', `<nvpair value='x1' name='secret_key' id='a'/>`, `<nvpair value='${REMOVED}' name='secret_key' id='a'/>`],
    [
      'the value of a rule',
      '<expression attribute="password" operation="eq" value="x1"/>',
      `<expression attribute="password" operation="eq" value="${REMOVED}"/>`,
    ],
  ])('%s', (_, given, expected) => {
    expect(text(given)).toBe(expected);
  });

  it.each([
    ['a reference', '<nvpair id="a" name="password" value="systole-secret:0f343b0931126a20f133d67c2b018a3b"/>'],
    ['a reference in a text', 'password: systole-secret:0f343b0931126a20f133d67c2b018a3b'],
    ['where a secret is', 'passwd_script=/etc/pw password_file=/etc/pw'],
    ['a sentence', 'the token is for another node; the password was wrong'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
    ['an address', 'http://db:5432/x?a=b'],
    ['keys of transitions', 'transition-key="3:7:0:abc" op-secure-params=" password "'],
  ])('but not %s', (_, given) => {
    expect(text(given)).toBe(given);
  });
});

describe('what a report leaves out of a document', () => {
  it('values of secret names, wherever a name stands', () => {
    const given = {
      password: 'geheim1',
      pin: 1,
      tokens: { status: 'up' },
      passwords: ['a1', 'b2'],
      previousSecretUntil: '2026-01-31T12:00:00.000Z',
      token: 4711,
      attributes: { name: 'snmp_community', value: 'rw-all' },
      list: [
        { name: 'passwd', value: 'x' },
        { attribute: 'api_key', value: 'y' },
        { name: 'ip', value: '192.0.2.1' },
      ],
      kept: { password: 'systole-secret:file:/etc/pw', seesSecrets: true },
    };
    expect(new Redaction().document(given)).toEqual({
      ...given,
      password: REMOVED,
      passwords: [REMOVED, REMOVED],
      token: REMOVED,
      attributes: { name: 'snmp_community', value: REMOVED },
      list: [
        { name: 'passwd', value: REMOVED },
        { attribute: 'api_key', value: REMOVED },
        { name: 'ip', value: '192.0.2.1' },
      ],
    });
  });

  it('all of the address of a webhook but the host', () => {
    const redaction = new Redaction();
    expect(redaction.document({ url: 'https://u:pw12@hooks.example/services/T0/B0/x' })).toEqual({
      url: `https://hooks.example/${REMOVED}`,
    });
    expect(redaction.seenElsewhere('POST /services/T0/B0/x pw12', false)).toBe(`POST ${REMOVED} ${REMOVED}`);
    expect(redaction.document({ url: 'http://127.0.0.1:8080' })).toEqual({ url: 'http://127.0.0.1:8080/' });
  });
});

describe('a value that was seen to be a secret', () => {
  it('is removed wherever it stands, in each way to write it', () => {
    const redaction = new Redaction(['the-callers-own-token']);
    redaction.document({ password: 'ge"h&im 12' });
    const lines = ['ge"h&im 12', 'ge&quot;h&amp;im 12', 'ge%22h%26im%2012', 'Z2UiaCZpbSAxMg==', 'xxge"h&im 12xx', 'the-callers-own-token'];
    expect(lines.map((line) => redaction.seenElsewhere(line, false))).toEqual([
      ...[REMOVED, REMOVED, REMOVED, REMOVED],
      `xx${REMOVED}xx`,
      REMOVED,
    ]);
    const json = JSON.stringify({ a: 'it is ge"h&im 12!', n: 12 });
    expect(JSON.parse(redaction.seenElsewhere(json, true))).toEqual({ a: `it is ${REMOVED}!`, n: 12 });
  });

  it('leaves JSON what it is, and other words whole', () => {
    const redaction = new Redaction();
    redaction.document([{ password: '2026' }, { password: 'mond' }, { password: 'abc' }, { password: 'true' }]);
    expect(redaction.seenElsewhere('{"n":2026,"s":"2026 x2026 mond mondlicht abc true"}', true)).toBe(
      `{"n":2026,"s":"${REMOVED} x2026 ${REMOVED} mondlicht abc true"}`,
    );
  });

  it('is not what stands in running text and may be any word', () => {
    const redaction = new Redaction();
    expect(redaction.text('token: unknowable, password=Geheim-12345')).toBe(`token: ${REMOVED}, password=${REMOVED}`);
    expect(redaction.seenElsewhere('unknowable Geheim-12345', false)).toBe(`unknowable ${REMOVED}`);
  });
});
