import { HttpProblem } from './problem.js';

/** Largest CIB, bytes. */
export const CIB_LIMIT = 64 * 1024 * 1024;
/** Largest other body, bytes. */
export const BODY_LIMIT = 1024 * 1024;
/** A compressed body may inflate to so many times its size, or to what any body may have; real configurations stay well below. */
export const INFLATION_LIMIT = 64;

/** Says of a body that it is too large. @param headers of the answer */
export function tooLarge(headers: Readonly<Record<string, string>> = {}): HttpProblem {
  return new HttpProblem(
    413,
    'content-too-large',
    `a body may have ${BODY_LIMIT >> 20} MiB, a CIB ${CIB_LIMIT >> 20} MiB; a compressed one may inflate to ${INFLATION_LIMIT} times its Content-Length or ${BODY_LIMIT >> 20} MiB: send less, or send it uncompressed`,
    { headers },
  );
}
