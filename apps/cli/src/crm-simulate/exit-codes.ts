/** How the program ends, in the numbers of the program that it replaces. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 64,
  data: 65,
  cannotCreate: 73,
  config: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const words: Readonly<Record<ExitCode, string>> = {
  0: 'OK',
  1: 'Error occurred',
  64: 'Incorrect usage',
  65: 'Invalid data given',
  73: 'Cannot create output file',
  78: 'Invalid configuration',
};

/** An exit code in words. */
export function exitMessage(code: ExitCode): string {
  return words[code];
}

/** Ends the program with a message; the code says what kind of trouble it was. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}
