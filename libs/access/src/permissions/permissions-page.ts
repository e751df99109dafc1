import { PERMISSIONS, type Permission, type Reach } from './permissions.js';

/** As prettier formats a table. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n');
}

const WHERE: Readonly<Record<Reach, string>> = {
  cluster: 'in each of its clusters',
  'own clusters': 'those of its clusters',
  'no cluster': 'everywhere',
  server: 'only where it is for all clusters',
};

function where({ who, reach }: Permission): string {
  return who === 'agent' ? 'for its own node' : WHERE[reach];
}

/** The page of the documentation that lists who may do what. */
export function permissionsPage(): string {
  const rows = PERMISSIONS.map((permission) => [
    permission.what,
    permission.who,
    where(permission),
    permission.operations.map((operation) => `\`${operation}\``).join(', '),
  ]);
  return `# Who may do what

Made from the table by which the server decides (\`libs/access/src/permissions/permissions.ts\`). Operations are named as in the [OpenAPI document](../../openapi/openapi.json). Roles include one another: an admin may do
what an operator may, and an operator what a viewer may. How tokens and users get their roles: [access](access.md).

${table([['what', 'least role', 'where', 'operations'], ...rows])}

- Without a valid token the answer is \`401\`; with one of another role \`403\` (\`role-too-low\`, \`not-for-agents\`, \`agents-only\`).
- A cluster that a token is not for is answered as one that is not there: \`404\` (\`cluster-not-found\`), and is in no list.
- What is about the server itself is refused to a token that is for some clusters only: \`403\` (\`scope-too-narrow\`).
- Whether secrets in configurations are shown is a right apart (\`seesSecrets\`), whatever the role.
`;
}
