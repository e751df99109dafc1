/** How a command line names failures. */
export interface FailureFlags {
  readonly node?: string;
  readonly operation?: string;
  /** ms. */
  readonly interval?: number;
}

/** As queries take it. @param resource undefined: all */
export function failuresMeant(
  resource: string | undefined,
  { node, operation, interval }: FailureFlags,
): { readonly resource?: string; readonly node?: string; readonly operation?: string; readonly intervalMs?: number } {
  return {
    ...(resource === undefined ? {} : { resource }),
    ...(node === undefined ? {} : { node }),
    ...(operation === undefined ? {} : { operation }),
    ...(interval === undefined ? {} : { intervalMs: interval }),
  };
}
