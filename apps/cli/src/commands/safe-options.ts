import { Option, type Command } from 'commander';

/** What commands take that may hurt other resources than those that they are about. */
export interface SafeFlags {
  readonly safe?: boolean;
  readonly othersMayMove?: boolean;
}

export function addSafeOptions(command: Command): Command {
  return command
    .option('--safe', 'only when nothing else would be stopped, moved or demoted')
    .addOption(
      new Option('--others-may-move', 'with --safe: others may be moved, as long as they run on elsewhere').implies({ safe: true }),
    );
}

/** As queries take it. */
export function safeIn({ safe, othersMayMove }: SafeFlags): { readonly safe?: true; readonly othersMayMove?: true } {
  return { ...(safe === true ? { safe } : {}), ...(othersMayMove === true ? { othersMayMove } : {}) };
}
