import { describe, expect, it } from 'vitest';
import { countedParameters, parameterDigest, restartParameters, secureParameters } from './parameter-digest.js';

const map = (values: Readonly<Record<string, string>>): Map<string, string> => new Map(Object.entries(values));

describe('parameter digests', () => {
  it.each([
    [{}, 'f2317cad3d54cec5d7d7aa7d0bf35cf8'],
    [{ CRM_meta_timeout: '20000' }, '4811cef7f7f94e3a35a70be7916cb2fd'],
    [{ ip: '127.0.0.23', CRM_meta_timeout: '20000' }, 'a46598608d2202e55725cc42d852e27a'],
    [{ nic: 'eth0', ip: '172.18.67.3', lvs_support: 'true' }, 'a8861449d5a42926110c8b51ac27bd7a'],
  ])('of %j', (parameters, digest) => {
    expect(parameterDigest(map(parameters))).toBe(digest);
  });

  it('tell values apart that differ in markup or control characters only', () => {
    const digests = ['<', '&lt;', '\n', '&#x0A;', ' ', 'é', '\u007f'].map((a) => parameterDigest(map({ a })));
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe('the parameters that count', () => {
  it('are those of the agent, with the timeout of recurring operations', () => {
    const all = { ip: '1', id: 'x', on_node: 'n', CRM_meta_timeout: '20000', CRM_meta_name: 'monitor' };
    expect(countedParameters(map(all))).toEqual(map({ ip: '1' }));
    expect(countedParameters(map({ ...all, CRM_meta_interval: '0' }))).toEqual(map({ ip: '1' }));
    expect(countedParameters(map({ ...all, CRM_meta_interval: '10000' }))).toEqual(map({ ip: '1', CRM_meta_timeout: '20000' }));
  });

  it('for a restart are those named, or all', () => {
    const counted = map({ state: '1', fake: '2' });
    expect(restartParameters(counted, ' state ')).toEqual(map({ state: '1' }));
    expect(restartParameters(counted, ' ')).toEqual(map({}));
    expect(restartParameters(counted, undefined)).toEqual(counted);
  });

  it('for the secure digest depend on the age of the history', () => {
    const counted = map({ ip: '1', passwd: 's', pcmk_host_list: 'a', extra: 'x', CRM_meta_timeout: '20000' });
    const resourceParameters = map({ ip: '1', passwd: 's', pcmk_host_list: 'a', pcmk_off_action: 'off' });
    const input = { counted, resourceParameters, privateNames: 'passwd', fencing: true };
    expect(secureParameters({ ...input, modern: true })).toEqual(
      map({ ip: '1', pcmk_host_list: 'a', extra: 'x', CRM_meta_timeout: '20000' }),
    );
    expect(secureParameters({ ...input, modern: false })).toEqual(map({ ip: '1' }));
  });
});
