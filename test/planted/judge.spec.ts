import { describe, expect, it } from 'vitest';
import { judge } from './judge.js';

const test = (status: string, fullName = 'a test') => ({ status, fullName });

describe('a run of a suite', () => {
  it('has found a fault when a test failed', () => {
    const report = { numPassedTests: 1, testResults: [{ status: 'failed', assertionResults: [test('passed'), test('failed', 'it')] }] };
    expect(judge(report)).toEqual({ type: 'found', by: ['it'] });
  });

  it('has not found it when all passed', () => {
    const report = { numPassedTests: 2, testResults: [{ status: 'passed', assertionResults: [test('passed'), test('passed')] }] };
    expect(judge(report)).toEqual({ type: 'not-found', passed: 2 });
  });

  it('has found nothing when it could not be loaded, or ran no test', () => {
    const broken = { numPassedTests: 0, testResults: [{ status: 'failed', message: 'SyntaxError', assertionResults: [] }] };
    expect(judge(broken)).toEqual({ type: 'not-run', reason: 'SyntaxError' });
    expect(judge({ numPassedTests: 0, testResults: [] })).toEqual({ type: 'not-run', reason: 'no test was run' });
    const skipped = { numPassedTests: 0, testResults: [{ status: 'passed', assertionResults: [test('pending')] }] };
    expect(judge(skipped)).toEqual({ type: 'not-run', reason: 'no test was run' });
  });
});
