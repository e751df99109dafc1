import type { FuzzInput } from './input.js';
import type { Limits } from './judge.js';

/**
 * Bounds of the law. Processor time grows with the text and with the outputs, which are all made twice. The constant is for what a few letters can
 * ask for within the scheduler's own bounds (instances, sets, chains of colocations): most inputs take less than a hundredth of it.
 */
const cpuMs = ({ text }: FuzzInput, outputLength: number): number => 20_000 + text.length / 50 + outputLength / 10_000;

export const LIMITS: Limits = { cpuMs, memoryMiB: 4096, waitMs: (input) => 30_000 + 5 * cpuMs(input, 0) };
