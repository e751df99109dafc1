import { EXIT, type ExitCode } from './exit-codes.js';

/** Why a file operation failed; of the system's own errors the plain words only, without code, call and path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, words] = 'syscall' in error ? (/^[A-Z\d]+: ([^,]+), /.exec(error.message) ?? []) : [];
  return words ?? error.message;
}

/** Whether the system failed with that code, e.g. `ENOENT`. */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** How the program ends when a CIB can't be saved (specification 08 §11). */
export function exitCodeOf(error: unknown): ExitCode {
  if (isSystemError(error, 'ENOENT')) return EXIT.noSuchObject;
  return isSystemError(error, 'EACCES') || isSystemError(error, 'EPERM') ? EXIT.noPermission : EXIT.error;
}
