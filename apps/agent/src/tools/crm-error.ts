import { flag, type OptionSpec, parseArguments } from './arguments.js';
import { EXIT_CODES, LEGACY_CODES, RETURN_CODES, SYSTEM_CODES, type ErrorCode } from './error-codes.js';
import { EXIT, type ToolCall, type ToolResult } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('name', '-n', '--name'),
  flag('list', '-l', '--list'),
  flag('exit', '-X', '--exit'),
  flag('return', '-r', '--rc'),
  flag('verbose', '-V', '--verbose'),
];

const NAME_WIDTH = 26;

/** `crm_error`: what codes mean, of programs (`-X`), of libraries (`-r`), or of libraries of old and the system. It asks nobody. */
export function crmError(call: ToolCall): Promise<ToolResult> {
  const { options, operands } = parseArguments(call.args, OPTIONS);
  const kind = options['exit'] !== undefined ? 'exit' : options['return'] !== undefined ? 'return' : 'legacy';
  const isNamed = options['name'] !== undefined;
  const codes = CODES[kind];
  const rows =
    options['list'] !== undefined || operands.length === 0
      ? codes.map((code) => listed(code, isNamed))
      : operands.map((text) => told(kind, text, isNamed));
  return Promise.resolve({ stdout: rows.map((row) => `${row}\n`).join(''), stderr: '', exitCode: EXIT.OK });
}

const GOOD: ErrorCode = [0, 'pcmk_rc_ok', 'OK'];
const CODES = {
  exit: EXIT_CODES,
  return: [...[...RETURN_CODES].reverse(), GOOD, ...SYSTEM_CODES],
  legacy: [[0, 'pcmk_ok', 'OK'] as const, ...SYSTEM_CODES, ...LEGACY_CODES],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

function listed([code, name, meaning]: ErrorCode, isNamed: boolean): string {
  const number = String(code).padStart(5);
  return isNamed ? `${number}: ${name.padEnd(NAME_WIDTH)}  ${meaning}` : `${number}: ${meaning}`;
}

/** Libraries of old return what is negative, too. */
function told(kind: keyof typeof CODES, text: string, isNamed: boolean): string {
  const given = Number.parseInt(text, 10) || 0;
  const code = kind === 'legacy' ? Math.abs(given) : given;
  const unknown = kind === 'exit' ? ['CRM_EX_UNKNOWN', 'Unknown exit status'] : ['Unknown', `Unknown error ${given}`];
  const [, name = unknown[0] ?? '', meaning = unknown[1] ?? ''] = CODES[kind].find(([one]) => one === code) ?? [];
  return isNamed ? `${name} - ${meaning}` : meaning;
}
