/** How the program ends, in the numbers of the program that it replaces (specification 08 §11). */
export const EXIT = {
  ok: 0,
  error: 1,
  noPermission: 4,
  usage: 64,
  data: 65,
  noInput: 66,
  software: 70,
  inputOutput: 74,
  config: 78,
  noSuchObject: 105,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const words: Readonly<Record<ExitCode, string>> = {
  0: 'OK',
  1: 'Error occurred',
  4: 'Insufficient privileges',
  64: 'Incorrect usage',
  65: 'Invalid data given',
  66: 'Input file not available',
  70: 'Internal software bug',
  74: 'I/O error occurred',
  78: 'Invalid configuration',
  105: 'No such object',
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
