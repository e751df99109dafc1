import type { Command, Option } from 'commander';

/** A command as its definition has it; what documents it and completes it reads this. */
export interface CommandPage {
  /** The words that call it, the program's name first. */
  readonly words: readonly string[];
  readonly description: string;
  /** How its operands are written, e.g. `<id> [words...]`. */
  readonly operands: string;
  readonly options: readonly OptionLine[];
  readonly commands: readonly CommandPage[];
}

export interface OptionLine {
  /** As it is documented, e.g. `-y, --yes`. */
  readonly flags: string;
  readonly description: string;
  readonly long: string | undefined;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The definitions of a program's commands. */
export function commandTree(command: Command, before: readonly string[] = []): CommandPage {
  const words = [...before, command.name()];
  return {
    words,
    description: command.description(),
    operands: command.registeredArguments.map((argument) => operand(argument)).join(' '),
    options: command.options.filter((option) => !option.hidden).map(optionLine),
    commands: command.commands.map((child) => commandTree(child, words)),
  };
}

/** All commands below one, itself first. */
export function allCommands(page: CommandPage): readonly CommandPage[] {
  return [page, ...page.commands.flatMap(allCommands)];
}

function operand(argument: { name: () => string; readonly required: boolean; readonly variadic: boolean }): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionLine(option: Option): OptionLine {
  const { flags, description, long, argChoices = [] } = option;
  return { flags, description, long: long ?? undefined, takesValue: option.required || option.optional, choices: argChoices };
}
