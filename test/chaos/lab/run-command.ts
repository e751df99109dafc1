import { execa } from 'execa';

/** Runs a program to its end. @throws with what it said, when it fails */
export async function runCommand(command: readonly string[], input = ''): Promise<string> {
  const [program = '', ...args] = command;
  const { exitCode, stdout, stderr, message } = await execa(program, args, { input, reject: false });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr || message}`);
  return stdout;
}
