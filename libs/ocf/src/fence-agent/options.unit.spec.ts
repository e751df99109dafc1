import { describe, expect, it } from 'vitest';
import { fenceInput, FenceOptionError, withTarget } from './options.js';

describe('the input of a fence agent', () => {
  it('is one option a line, and the action', () => {
    expect(fenceInput('off', { ip: '10.0.0.1', username: 'admin' })).toBe('ip=10.0.0.1\nusername=admin\naction=off\n');
  });

  it("leaves out the cluster's own settings", () => {
    expect(fenceInput('off', { pcmk_host_map: 'n1:1', crm_feature_set: '3', CRM_meta_timeout: '1', action: 'reboot' })).toBe(
      'action=off\n',
    );
  });

  it('refuses a value that would be two options', () => {
    expect(() => fenceInput('off', { ip: '1\naction=on' })).toThrow(FenceOptionError);
  });
});

describe('the target of a fencing', () => {
  it('is given as node name and as plug', () => {
    expect(withTarget({ ip: 'x' }, 'n1')).toEqual({ ip: 'x', nodename: 'n1', plug: 'n1' });
  });

  it('leaves alone what the device or the server says', () => {
    expect(withTarget({ plug: '7' }, 'n1')).toEqual({ nodename: 'n1', plug: '7' });
    expect(withTarget({ port: 'vm-1' }, 'n1')).toEqual({ nodename: 'n1', port: 'vm-1' });
  });

  it('is not touched when the node is named already', () => {
    expect(withTarget({ nodename: 'n1' }, 'n1')).toEqual({ nodename: 'n1' });
  });

  it('goes where pcmk_host_argument says', () => {
    expect(withTarget({ pcmk_host_argument: 'domain' }, 'n1')).toEqual({ nodename: 'n1', pcmk_host_argument: 'domain', domain: 'n1' });
    expect(withTarget({ pcmk_host_argument: 'none' }, 'n1')).toEqual({ nodename: 'n1', pcmk_host_argument: 'none' });
  });
});
