import type { FuzzInput } from './input.js';
import type { Limits } from './judge.js';

/**
 * Bounds of the law. Processor time grows with the text: each of its elements may have actions on each node, and all outputs of them are made twice.
 * The large constant is for what a few letters can ask for within the scheduler's own bounds (instances, sets, chains of colocations): most inputs
 * take less than a hundredth of it.
 */
const cpuMs = ({ text }: FuzzInput): number => 20_000 + text.length / 50;

export const LIMITS: Limits = { cpuMs, memoryMiB: 2048, waitMs: (input) => 30_000 + 5 * cpuMs(input) };
