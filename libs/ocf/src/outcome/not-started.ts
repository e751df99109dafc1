import type { ProcessEnd } from '../process/run-process.js';

type NotStarted = Pick<Extract<ProcessEnd, { readonly kind: 'not-started' }>, 'code' | 'message'>;

/** What the operator can do about a failure to start a program, by the system's error code (execve(2), fork(2)) or Node's. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'install the program, and the interpreter that its first line names'],
  ['ENOTDIR', 'install the program, and the interpreter that its first line names'],
  ['ENOEXEC', 'let its first line name its interpreter, or install the program that was built for this machine'],
  ['EACCES', 'make the program, its interpreter and their directories executable for the user that the node agent runs as'],
  ['EPERM', 'make the program, its interpreter and their directories executable for the user that the node agent runs as'],
  ['E2BIG', 'the parameters are too large to be passed on: Linux takes less than 128 KiB for each; put long ones into a file'],
  ['ERR_INVALID_ARG_VALUE', 'a parameter holds a NUL character, which no program can be given: remove it'],
  ['EMFILE', 'too many files are open: raise LimitNOFILE of the node agent'],
  ['ENFILE', 'too many files are open on this machine: raise fs.file-max'],
  ['EAGAIN', 'too many processes run: raise TasksMax of the node agent, or end some'],
  ['ENOMEM', 'memory is short on this machine: free some'],
]);

/** Why a program could not be started, and what to do about it, in one line. */
export function describeNotStarted({ code, message }: NotStarted): string {
  const advice = ADVICE.get(code);
  return advice === undefined ? message : `${message}: ${advice}`;
}
