import { Command } from 'commander';
import { printable } from '@systole/protocol';
import { addAclCommands } from './commands/acl.js';
import { addAdminCommands } from './commands/admin.js';
import { addAgentsCommands } from './commands/agents.js';
import { addAlertCommands } from './commands/alert.js';
import { addAuditCommands } from './commands/audit.js';
import { addCibCommands } from './commands/cib.js';
import { addClusterCommands } from './commands/cluster.js';
import { addCompletionCommand } from './commands/completion.js';
import { addConfigCommands } from './commands/config.js';
import { addConstraintCommands } from './commands/constraint.js';
import { addElementCommands } from './commands/elements.js';
import { addEventsCommand } from './commands/events.js';
import { addExplainCommand } from './commands/explain.js';
import { addFencingCommands } from './commands/fencing.js';
import { addReportCommand } from './commands/report.js';
import { addResilienceCommand } from './commands/resilience.js';
import { addHistoryCommands } from './commands/history.js';
import { addLoginCommands } from './commands/login.js';
import { addNodeCommands } from './commands/node.js';
import { addResourceCommands } from './commands/resource.js';
import { addPropertyCommands } from './commands/settings.js';
import { addSecretCommands } from './commands/secret.js';
import { addSimulateCommand } from './commands/simulate.js';
import { addWhatIfCommand } from './commands/what-if.js';
import { addStatusCommand } from './commands/status.js';
import { addTagCommands } from './commands/tag.js';
import { addTicketCommands } from './commands/ticket.js';
import { addTokenCommands } from './commands/token.js';
import { addTransitionCommands } from './commands/transition.js';
import { addWebhookCommands } from './commands/webhook.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { reportError } from './report-error.js';
import { generalOutputOption, type Surroundings } from './session.js';
import type { GlobalFlags } from './settings/settings.js';
import { withOutputAfterCommand } from './shell/leading-output.js';
import type { Terminal } from './terminal.js';
import { PROGRAM_VERSION } from './version.js';

/** Does what a command line asks for. Never throws. @param args without the program's name @returns the exit code */
export async function run(args: readonly string[], given: Terminal): Promise<ExitCode> {
  // What a server, or whoever wrote what it tells, puts into an error is shown, not obeyed.
  const terminal = {
    ...given,
    complain: (line: string) => {
      given.complain(printable(line));
    },
  };
  let code: ExitCode = EXIT.ok;
  const program = createProgram({
    terminal,
    end: (ended) => {
      code = ended;
    },
  });
  try {
    await program.parseAsync([...withOutputAfterCommand(args)], { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, terminal, program.opts<GlobalFlags>().json === true);
  }
}

/** The program's commands, as they are defined. */
export function createProgram(surroundings: Surroundings): Command {
  const { terminal } = surroundings;
  const program = new Command('systole')
    .description('Look at and steer the high-availability clusters of a Systole server.')
    .version(PROGRAM_VERSION)
    .option('--server <url>', "the server (SYSTOLE_SERVER, or the login's)")
    .option('--token <token>', "the access token; others on this machine can see it: better SYSTOLE_TOKEN, or the login's")
    .option('--cluster <cluster>', 'id or name of the cluster (SYSTOLE_CLUSTER); not needed when there is only one')
    .option('--ca <file>', "verify the server by the authorities in this PEM file, and no others (SYSTOLE_CA_FILE, or the login's)")
    .option('--json', 'print JSON, as the server says it')
    .configureOutput({
      writeOut: terminal.write,
      writeErr: (text) => {
        terminal.complain(text.trimEnd());
      },
    })
    .exitOverride()
    .showHelpAfterError('(see --help)');
  addLoginCommands(program, surroundings);
  addStatusCommand(program, surroundings);
  addExplainCommand(program, surroundings);
  addWhatIfCommand(program, surroundings);
  addResilienceCommand(program, surroundings);
  addClusterCommands(program, surroundings);
  addNodeCommands(program, surroundings);
  addResourceCommands(program, surroundings);
  addConstraintCommands(program, surroundings);
  addPropertyCommands(program, surroundings);
  addFencingCommands(program, surroundings);
  addTicketCommands(program, surroundings);
  addAgentsCommands(program, surroundings);
  addTagCommands(program, surroundings);
  addAlertCommands(program, surroundings);
  addAclCommands(program, surroundings);
  addConfigCommands(program, surroundings);
  addElementCommands(program, surroundings);
  addSecretCommands(program, surroundings);
  addCibCommands(program, surroundings);
  addEventsCommand(program, surroundings);
  addHistoryCommands(program, surroundings);
  addAuditCommands(program, surroundings);
  addTransitionCommands(program, surroundings);
  addReportCommand(program, surroundings);
  addSimulateCommand(program, surroundings);
  addTokenCommands(program, surroundings);
  addWebhookCommands(program, surroundings);
  addAdminCommands(program, surroundings);
  addGeneralOutput(program);
  addCompletionCommand(program, surroundings);
  return program;
}

/** Whatever shows something shows it also as a program reads it. */
function addGeneralOutput(command: Command): void {
  for (const each of command.commands) addGeneralOutput(each);
  if (command.commands.length === 0 && !command.options.some(({ long }) => long === '--output')) command.addOption(generalOutputOption());
}
