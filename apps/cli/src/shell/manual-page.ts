import { EXIT_CODES } from '../exit-code.js';
import { allCommands, type CommandPage } from './command-tree.js';

/** The manual page of a program (section 1), as `man` reads it: made of the definitions of its commands. */
export function manualPage(program: CommandPage): string {
  const [name = ''] = program.words;
  const commands = allCommands(program).filter((page) => page !== program && page.commands.length === 0);
  return [
    `.TH ${name.toUpperCase()} 1 "" "Systole" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${text(lowerFirst(program.description)).replace(/\.$/, '')}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.RI [ options ]',
    '.I command',
    '.RI [ operands ]',
    '.SH OPTIONS',
    ...program.options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap((page) => commandLines(page)),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([variable, meaning]) => ['.TP', `.B ${variable}`, text(meaning)]),
    '.SH FILES',
    '.TP',
    '.I ~/.config/systole/config.json',
    text('What "systole login" keeps; its owner alone can read it.'),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(({ code, meaning }) => ['.TP', `.B ${String(code)}`, text(meaning)]),
    '',
  ].join('\n');
}

const ENVIRONMENT = [
  ['SYSTOLE_SERVER', "the server, when --server is not given; else the login's"],
  ['SYSTOLE_TOKEN', "the access token; else the login's"],
  ['SYSTOLE_CLUSTER', 'id or name of the cluster; else that of the login, or the only one there is'],
  ['SYSTOLE_CONFIG', 'where the login is kept'],
  ['VISUAL, EDITOR', 'what "config edit" opens'],
  ['NO_COLOR', 'no colours'],
] as const;

function commandLines(page: CommandPage): readonly string[] {
  const { words, operands, description, options } = page;
  return [
    '.TP',
    `.B ${text(words.slice(1).join(' '))}${operands === '' ? '' : ` \\fR${text(operands)}`}`,
    text(description),
    ...(options.length === 0 ? [] : ['.RS', ...options.flatMap(optionLines), '.RE']),
  ];
}

function optionLines({ flags, description, choices }: CommandPage['options'][number]): readonly string[] {
  return ['.TP', `.B ${text(flags)}`, text(choices.length === 0 ? description : `${description} (${choices.join(', ')})`)];
}

/** As roff takes it: backslashes and hyphens as they are, and no line that it would take for a request. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
