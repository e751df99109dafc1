import { allCommands, type CommandPage } from './command-tree.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script for a shell that completes a program's commands, options and choices. Nothing is asked of the server. */
export function completionScript(program: CommandPage, shell: Shell): string {
  switch (shell) {
    case 'bash':
      return bash(program);
    case 'zsh':
      // zsh reads completions of bash.
      return `#compdef ${nameOf(program)}\nautoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;
    case 'fish':
      return fish(program);
  }
}

function nameOf({ words: [name = ''] }: CommandPage): string {
  return name;
}

/** What may follow a command: its commands, and its options with those of the program. */
function wordsAfter(page: CommandPage, program: CommandPage): readonly string[] {
  const options = [...page.options, ...(page === program ? [] : program.options)];
  return [...page.commands.map(({ words }) => words.at(-1) ?? ''), ...longOptions(options)];
}

function longOptions(options: CommandPage['options']): readonly string[] {
  return options.flatMap(({ long }) => (long === undefined ? [] : [long]));
}

/** Options whose next word is a value of their own. */
function valueOptions(program: CommandPage): readonly string[] {
  return [...new Set(allCommands(program).flatMap(({ options }) => longOptions(options.filter(({ takesValue }) => takesValue))))];
}

function bash(program: CommandPage): string {
  const name = nameOf(program);
  const pages = allCommands(program);
  const next = pages.map((page) => `    '${page.words.slice(1).join(' ')}') words='${wordsAfter(page, program).join(' ')}' ;;`);
  const known = pages.slice(1).map(({ words }) => `'${words.slice(1).join(' ')}'`);
  const choices = pages.flatMap(({ words, options }) =>
    options
      .filter((option) => option.choices.length > 0 && option.long !== undefined)
      .map(({ long, choices: all }) => `    '${words.slice(1).join(' ')} ${long ?? ''}') words='${all.join(' ')}' ;;`),
  );
  return `# Completion of ${name} for bash; made by "${name} completion bash".
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word words='' index skip=0
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if ((skip)); then skip=0; continue; fi
    case "$word" in
    ${valueOptions(program).join('|')}) skip=1; continue ;;
    -*) continue ;;
    esac
    case "\${command:+$command }$word" in
    ${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command $previous" in
${choices.join('\n')}
    ?*)
    case "$command" in
${next.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

function fish(program: CommandPage): string {
  const name = nameOf(program);
  const lines = allCommands(program).flatMap((page) => {
    const words = page.words.slice(1);
    const condition =
      words.length === 0 ? '__fish_use_subcommand' : words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    return [
      ...page.commands.map(
        (child) => `complete -c ${name} -f -n '${condition}' -a '${child.words.at(-1) ?? ''}' -d '${fishText(child.description)}'`,
      ),
      ...page.options.flatMap(({ long, description, takesValue, choices }) => {
        if (long === undefined) return [];
        const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
        const where = words.length === 0 ? '' : ` -n '${condition}'`;
        return [`complete -c ${name}${where} -l ${long.slice(2)}${value} -d '${fishText(description)}'`];
      }),
    ];
  });
  return `# Completion of ${name} for fish; made by "${name} completion fish".\n${lines.join('\n')}\n`;
}

function fishText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
