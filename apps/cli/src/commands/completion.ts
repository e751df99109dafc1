import { Argument, type Command } from 'commander';
import type { Surroundings } from '../session.js';
import { commandTree } from '../shell/command-tree.js';
import { completionScript, SHELLS, type Shell } from '../shell/completion.js';

export function addCompletionCommand(program: Command, { terminal }: Surroundings): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .description('print a script that completes commands and options, e.g. source <(systole completion bash)')
    .action((shell: Shell) => {
      terminal.write(completionScript(commandTree(program), shell));
    });
}
