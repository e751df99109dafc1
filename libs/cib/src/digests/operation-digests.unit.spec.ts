import { describe, expect, it } from 'vitest';
import { operationDigests, parameterTraits, type ParameterTraits } from './operation-digests.js';

const RELOADS: ParameterTraits = { restart: ['state', 'passwd'], secret: ['passwd'] };

describe('the digests of an operation', () => {
  const attributes = { state: '/s', passwd: 'x', CRM_meta_timeout: '20000' };

  it('name what asks for a restart and what is private, as Pacemaker does', () => {
    const digests = operationDigests(attributes, 0, RELOADS);
    expect(digests).toMatchObject({ opForceRestart: ' state  passwd ', opSecureParams: ' passwd ' });
    expect(operationDigests({ ...attributes, level: '1' }, 0, RELOADS).opRestartDigest).toBe(digests.opRestartDigest);
    expect(operationDigests({ ...attributes, passwd: 'y' }, 0, RELOADS).opSecureDigest).toBe(digests.opSecureDigest);
    expect(operationDigests({ ...attributes, passwd: 'y' }, 0, RELOADS).opDigest).not.toBe(digests.opDigest);
  });

  it('are of all parameters only for what recurs, and where nothing is known', () => {
    expect(operationDigests(attributes, 10_000, { restart: ['state'], secret: [] })).toEqual({ opDigest: expect.any(String) as string });
    expect(operationDigests(attributes, 0, undefined)).toEqual({ opDigest: expect.any(String) as string });
  });

  it('leave out a list that no result could carry: then each change restarts', () => {
    const names = Array.from({ length: 500 }, (_, index) => `parameter-${String(index)}`);
    expect(operationDigests(attributes, 0, { restart: names, secret: names })).toEqual({ opDigest: expect.any(String) as string });
  });
});

describe('what the versions of an agent say about its parameters', () => {
  const parameters = [
    { name: 'dir', reloadable: false },
    { name: 'level', reloadable: true },
    { name: 'password', reloadable: false, private: true },
  ];

  it('is which of them ask for a restart, and which are private', () => {
    expect(parameterTraits([{ parameters, actions: ['start', 'reload-agent'] }])).toEqual({
      restart: ['dir', 'password'],
      secret: ['password'],
    });
  });

  it('is what holds for all of them', () => {
    const reloads = { parameters: [{ name: 'level', reloadable: true }], actions: ['reload-agent'] };
    expect(parameterTraits([reloads, { ...reloads, parameters: [{ name: 'level', reloadable: false }] }])).toEqual({
      restart: ['level'],
      secret: [],
    });
    expect(parameterTraits([reloads, { ...reloads, actions: ['reload'] }])).toEqual({ secret: [] });
  });
});
