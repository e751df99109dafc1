import { ProblemError, type Problem } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { renderProblem } from './problem.js';

const refused = (problem: Partial<Problem>, status = 422): readonly string[] =>
  renderProblem(
    new ProblemError(status, {
      type: 'https://systole.dev/problems/invalid-request',
      title: 'Unprocessable content',
      status,
      detail: 'the configuration is not valid',
      instance: '/v1/clusters/prod/cib#1',
      ...problem,
    }),
  );

describe('renderProblem', () => {
  it('names line and path of each error in a document', () => {
    const path = "/cib/configuration/resources/primitive[@id='db']";
    expect(refused({ errors: [{ line: 12, path, element: 'primitive', detail: 'class: is needed' }] })).toEqual([
      'systole: the configuration is not valid',
      `  line 12, ${path}: class: is needed`,
    ]);
  });

  it('names the command, not the request, that helps', () => {
    expect(refused({ detail: 'there is no cluster prd: see GET /v1/clusters' }, 404)).toEqual([
      'systole: there is no cluster prd: see "systole cluster list"',
    ]);
  });

  it('names the field of a body, the parameter, the header', () => {
    const errors = [
      { pointer: '/name', detail: 'is too long' },
      { parameter: 'limit', detail: 'must be at most 1000' },
      { header: 'If-Match', detail: 'is no entity tag' },
    ];
    expect(refused({ errors }).slice(1)).toEqual([
      '  /name: is too long',
      '  parameter limit: must be at most 1000',
      '  header If-Match: is no entity tag',
    ]);
  });

  it('does not say twice what the problem says itself, but keeps the place in a document', () => {
    expect(refused({ detail: 'no node n9', errors: [{ parameter: 'node', detail: 'no node n9' }] })).toEqual(['systole: no node n9']);
    expect(refused({ detail: 'bad score (and 1 more)', errors: [{ line: 3, detail: 'bad score' }] })[1]).toBe('  line 3');
  });

  it('says what to do when the token is not known', () => {
    expect(refused({ detail: 'the token is unknown' }, 401).join('\n')).toContain('systole login');
  });

  it('wonders about an answer that is no problem document', () => {
    expect(renderProblem(new ProblemError(502, undefined))[0]).toContain('is it a Systole server?');
  });
});
