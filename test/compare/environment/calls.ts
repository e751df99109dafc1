/** A call of an agent. */
export interface Call {
  /** What was done to the cluster. */
  readonly step: string;
  /** Who called what: `node1 pair notify pre-start`, `node2 mover monitor_3600000`. */
  readonly name: string;
  /** Variables that speak of the call or the cluster; not what is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

const SPEAKING = /^(OCF_|HA_|CRM_|PCMK_)/;

/** Reads what `ocf:test:Environment` wrote. @param record its directory, which is another in each run */
export function callOf(step: string, text: string, record: string): Call {
  const [action = '', ...lines] = text.replaceAll(record, '@RECORD@').split('\n');
  const environment = Object.fromEntries(
    lines
      .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
      .filter(([name]) => SPEAKING.test(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const of = (name: string): string => environment[name] ?? '';
  const meta = (name: string): string => of(`OCF_RESKEY_CRM_meta_${name}`);
  const which = { monitor: `monitor_${meta('interval')}`, notify: `notify ${meta('notify_type')}-${meta('notify_operation')}` }[action];
  return { step, name: `${meta('on_node')} ${of('OCF_RESOURCE_INSTANCE')} ${which ?? action}`, environment };
}

const titleOf = ({ step, name }: Call): string => `${step}: ${name}`;

/** Calls that are about the same, as their variables are: those of a resource in a step, notifications apart. */
const kin = ({ step, name }: Call): string => {
  const [, resource, action] = name.split(' ');
  return `${step}: ${resource ?? ''}${action === 'notify' ? ' notify' : ''}`;
};

type Variables = Readonly<Record<string, string>>;

/** What all of these have, with the same value. */
function shared([first, ...others]: readonly Variables[]): Variables {
  return Object.fromEntries(Object.entries(first ?? {}).filter(([name, value]) => others.every((other) => other[name] === value)));
}

function without(variables: Variables, known: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !(name in known)));
}

const block = (title: string, variables: Variables): string =>
  [title, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`), ''].join('\n');

/** Calls as text: what all have in common (`=`), then, for those that are about the same (`==`), what these have beside, then each of them (`-`). */
export function written(calls: readonly Call[]): string {
  const all = shared(calls.map(({ environment }) => environment));
  const groups = [...new Set(calls.map(kin))].sort().map((title) => {
    const members = calls.filter((call) => kin(call) === title);
    const common = shared(members.map(({ environment }) => environment));
    const own = members.map((call) => block(`- ${call.name}`, without(call.environment, common))).sort();
    return [block(`== ${title}`, without(common, all)), ...own].join('');
  });
  return [block('=', all), ...groups].join('\n');
}

/** The reverse of {@link written}. */
export function readWritten(text: string): readonly Call[] {
  const calls: { step: string; name: string; environment: Record<string, string> }[] = [];
  let all: Record<string, string> = {};
  let group: { step: string; environment: Record<string, string> } = { step: '', environment: {} };
  let at = all;
  for (const line of text.split('\n')) {
    if (line === '=') at = all = {};
    else if (line.startsWith('== ')) {
      at = {};
      group = { step: line.slice(3, line.indexOf(':')), environment: at };
    } else if (line.startsWith('- ')) {
      at = { ...all, ...group.environment };
      calls.push({ step: group.step, name: line.slice(2), environment: at });
    } else if (line !== '') at[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
  }
  return calls;
}

/** A variable of a call that is not the same on both. */
export interface Difference {
  readonly call: string;
  /** `all`: the call was made on one side only. */
  readonly variable: string;
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
}

/** Instances of an anonymous clone are numbered as they were found: they are told apart by their nodes alone. */
function withoutNumbers(call: Call): Call {
  const { environment } = call;
  if (environment['OCF_RESKEY_CRM_meta_globally_unique'] !== 'false') return call;
  const told = Object.entries(environment)
    .filter(([name]) => name !== 'OCF_RESKEY_CRM_meta_clone')
    .map(([name, value]): [string, string] => {
      if (/_notify_\w+_resource$/.test(name)) return [name, value.replaceAll(/:\d+/g, '')];
      if (/_notify_\w+_uname$/.test(name) && !/_(all|available)_uname$/.test(name)) return [name, value.split(' ').sort().join(' ')];
      return [name, value];
    });
  return { ...call, environment: Object.fromEntries(told) };
}

/** Holds calls against those that Pacemaker made, variable by variable; several of one name in a step are held against each other as sets. */
export function differences(theirs: readonly Call[], ours: readonly Call[]): readonly Difference[] {
  const names = [...new Set([...theirs, ...ours].map(titleOf))].sort();
  return names.flatMap((call) => {
    const of = (calls: readonly Call[]): readonly Call[] => calls.filter((one) => titleOf(one) === call).map(withoutNumbers);
    const [made, expected] = [of(ours), of(theirs)];
    if (made.length !== expected.length)
      return [{ call, variable: 'all', theirs: `${expected.length} calls`, ours: `${made.length} calls` }];
    const variables = [...new Set([...made, ...expected].flatMap(({ environment }) => Object.keys(environment)))].sort();
    const values = (calls: readonly Call[], variable: string): string | undefined => {
      const all = calls.flatMap(({ environment }) => environment[variable] ?? []);
      return all.length === 0 ? undefined : all.sort().join(' | ');
    };
    return variables
      .map((variable) => ({ call, variable, theirs: values(expected, variable), ours: values(made, variable) }))
      .filter((one) => one.theirs !== one.ours);
  });
}
