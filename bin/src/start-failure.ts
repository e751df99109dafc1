/** Systole can not be started like this. The message says why, and what to change. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** What the operating system refused, e.g. `mkdir` with `EACCES`; undefined when the error is another one. */
export function refusalOf(error: unknown): { readonly code: string; readonly syscall: string } | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const { code, syscall } = error;
  return typeof code === 'string' && typeof syscall === 'string' ? { code, syscall } : undefined;
}
