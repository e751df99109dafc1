import { CibIndex } from '../document/cib-index.js';
import { pairElements } from '../nvpairs/nvpair-sets.js';
import { mistypedName } from '../options/near-matches.js';
import { isConnectionAgent } from '../reading/remote-nodes.js';
import { expandTemplate } from '../reading/template.js';
import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';
import { placedFindings, type FoundAt } from './placed-findings.js';

/** A parameter that an agent takes. */
export interface KnownParameter {
  readonly name: string;
  /** Has to be given, and nothing counts where it is not. */
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The older parameter that may be given instead. */
  readonly obsoletes?: string;
}

/** What the nodes of a cluster have told about their resource and fence agents. */
export interface KnownAgents {
  /** Standards of which all agents are named: of others nobody knows what is missing. */
  readonly classes: readonly string[];
  /** By name (`ocf:heartbeat:IPaddr2`, `stonith:fence_ipmilan`): the parameters in each version that nodes have; undefined for one that was not described. */
  readonly agents: Readonly<Record<string, readonly (readonly KnownParameter[] | undefined)[]>>;
}

/** How an agent is called: standard, provider where there is one, and type. */
export function agentNameOf({ class: standard, provider, type }: AgentNameParts): string {
  return [standard, ...(provider === undefined ? [] : [provider]), type].join(':');
}

export interface AgentNameParts {
  readonly class: string;
  readonly provider?: string | undefined;
  readonly type: string;
}

/** Parameters by which the shell functions of agents are told to write down what they do; and the level of a monitor. */
const OF_ALL_OCF = new Set(['trace_ra', 'trace_file', 'OCF_CHECK_LEVEL']);
/** What of a fence device's parameters the cluster itself reads. */
const OF_DEVICES = new Set(['provides']);
/** What the cluster gives a fence agent besides its parameters: what is to be done, and to whom. */
const GIVEN_TO_DEVICES = new Set(['action', 'port', 'plug', 'nodename']);

const known = new WeakMap<XmlElement, { readonly agents: KnownAgents; readonly findings: readonly ConfigurationFinding[] }>();
const NOTHING: readonly ConfigurationFinding[] = [];

/**
 * Resources whose agent no node has that has told, or may be in a container's image, of which nobody tells, and parameters that their agents do not take, or that are missing. Of an agent whose versions differ only what is so in each of them. As long as nobody has told
 * anything there is nothing. What was found in a configuration stays known with it, and what was told.
 *
 * @param document a whole CIB
 */
export function agentFindings(document: XmlElement, agents: KnownAgents | undefined): readonly ConfigurationFinding[] {
  const configuration = firstChildNamed(document, 'configuration');
  if (agents === undefined || configuration === undefined) return NOTHING;
  const before = known.get(configuration);
  if (before?.agents === agents) return before.findings;
  const findings = placedFindings(configuration, [...foundIn(document, agents)]);
  known.set(configuration, { agents, findings });
  return findings;
}

function* foundIn(document: XmlElement, agents: KnownAgents): Generator<FoundAt> {
  const index = new CibIndex(document);
  const section = index.section('resources');
  for (const child of section === undefined ? [] : childElements(section)) yield* foundBelow(child, [], index, agents);
}

/** @param around what the element stands in: its parameters are theirs, too */
function* foundBelow(element: XmlElement, around: readonly XmlElement[], index: CibIndex, agents: KnownAgents): Generator<FoundAt> {
  if (element.name === 'template') yield* ofAgent(element, around, index, agents);
  if (element.name === 'primitive') {
    const whole = expandTemplate(index, element);
    if (whole === undefined) return;
    if (whole === element) yield* ofAgent(element, around, index, agents);
    else yield* ofParameters(element, whole, index, agents);
    yield* missing(element, whole, [...around, whole], index, agents);
  }
  for (const child of childElements(element)) {
    if (MEMBERS.has(child.name)) yield* foundBelow(child, [...around, element], index, agents);
  }
}

const MEMBERS = new Set(['primitive', 'group']);

function* ofAgent(element: XmlElement, around: readonly XmlElement[], index: CibIndex, agents: KnownAgents): Generator<FoundAt> {
  const agent = agentIn(element);
  if (agent === undefined) return;
  if (!isListed(agent, agents) || versionsOf(agent, agents) !== undefined) {
    yield* ofParameters(element, element, index, agents);
    return;
  }
  const name = agentNameOf(agent);
  const bundle = around.find(({ name: of }) => of === 'bundle');
  if (bundle !== undefined) {
    yield {
      ...{ at: element, subject: subjectOf(element), kind: 'unchecked-agent', level: 'warning', attribute: 'type' },
      message: `${name}: none of the nodes has this agent, and nobody tells what is in the image of ${subjectOf(bundle)}: its name and its parameters are not checked`,
      meanwhile: 'a mistake in them shows only when it is started',
    };
    return;
  }
  const meant = mistypedName(name, Object.keys(agents.agents));
  yield {
    ...{ at: element, subject: subjectOf(element), kind: 'unknown-agent', level: 'error', attribute: 'type' },
    message: `${name}: none of the nodes that have told which agents they have has this one: ${meant === undefined ? 'see systole agents list, or install it' : `did you mean ${meant}?`}`,
    meanwhile: 'it can be started nowhere',
    ...(meant === undefined ? {} : { suggestion: meant }),
  };
}

/** Parameters that the agent takes in no version. */
function* ofParameters(element: XmlElement, whole: XmlElement, index: CibIndex, agents: KnownAgents): Generator<FoundAt> {
  const agent = agentIn(whole);
  const versions = agent && describedVersions(agent, agents);
  if (agent === undefined || versions === undefined) return;
  const names = new Set(versions.flatMap((parameters) => parameters.map(({ name }) => name)));
  for (const set of childrenNamed(element, 'instance_attributes')) {
    for (const pair of pairElements(set)) {
      const { name } = (index.resolve(pair) ?? pair).attributes;
      if (name === undefined || names.has(name) || isTakenByAll(agent, name)) continue;
      const meant = mistypedName(name, names);
      yield {
        ...{ at: pair, subject: subjectOf(element), kind: 'unknown-parameter', level: 'error', attribute: 'name' },
        message: `${name.slice(0, LONGEST_SHOWN)}: ${agentNameOf(agent)} takes no such parameter: ${meant === undefined ? `see systole agents show ${agentNameOf(agent)}` : `did you mean ${meant}?`}`,
        meanwhile: 'the agent is given it, and most likely takes no notice',
        ...(meant === undefined ? {} : { suggestion: meant }),
      };
    }
  }
}

/** Parameters that the agent needs in every version. @param layers whose parameters it is given */
function* missing(
  element: XmlElement,
  whole: XmlElement,
  layers: readonly XmlElement[],
  index: CibIndex,
  agents: KnownAgents,
): Generator<FoundAt> {
  const agent = agentIn(whole);
  const versions = agent && describedVersions(agent, agents);
  const [first, ...others] = versions ?? [];
  if (agent === undefined || first === undefined) return;
  const given = new Set(layers.flatMap((layer) => namesGiven(layer, index)));
  for (const { name } of first.filter(isNeeded)) {
    const ofAll = [first, ...others].map((parameters) => parameters.find((parameter) => parameter.name === name));
    const isGiven = given.has(name) || ofAll.some((parameter) => parameter?.obsoletes !== undefined && given.has(parameter.obsoletes));
    const isNeededByAll = ofAll.every((parameter) => parameter !== undefined && isNeeded(parameter));
    if (isGiven || !isNeededByAll || (isDevice(agent) && GIVEN_TO_DEVICES.has(name))) continue;
    yield {
      ...{ at: element, subject: subjectOf(element), kind: 'missing-parameter', level: 'error' },
      message: `${name}: ${agentNameOf(agent)} needs this parameter: give it in the instance_attributes`,
      meanwhile: 'its operations fail',
    };
  }
}

/** So much of a name is shown, characters. */
const LONGEST_SHOWN = 80;

function isNeeded({ required, deprecated }: KnownParameter): boolean {
  return required && !deprecated;
}

function namesGiven(layer: XmlElement, index: CibIndex): readonly string[] {
  return childrenNamed(layer, 'instance_attributes').flatMap((set) =>
    pairElements(index.resolve(set) ?? set).flatMap((pair) => (index.resolve(pair) ?? pair).attributes['name'] ?? []),
  );
}

/** None for a connection to a remote node: the server holds it, whatever agents the nodes have. */
function agentIn({ attributes }: XmlElement): AgentNameParts | undefined {
  if (isConnectionAgent(attributes)) return undefined;
  const { class: standard, provider, type } = attributes;
  return standard === undefined || type === undefined ? undefined : { class: standard.toLowerCase(), provider, type };
}

/** Fence agents that are called otherwise may be there and not be named. */
function isListed({ class: standard, type }: AgentNameParts, { classes }: KnownAgents): boolean {
  return classes.includes(standard) && (standard !== 'stonith' || type.startsWith('fence_'));
}

function versionsOf(agent: AgentNameParts, { agents }: KnownAgents): KnownAgents['agents'][string] | undefined {
  const name = agentNameOf(agent);
  return Object.hasOwn(agents, name) ? agents[name] : undefined;
}

/** Undefined as long as not all of them were described: what is not known may take anything. */
function describedVersions(agent: AgentNameParts, agents: KnownAgents): readonly (readonly KnownParameter[])[] | undefined {
  const versions = versionsOf(agent, agents)?.map((parameters) => parameters ?? undefined);
  const described = versions?.filter((parameters) => parameters !== undefined);
  return described === undefined || described.length === 0 || described.length !== versions?.length ? undefined : described;
}

function isDevice({ class: standard }: AgentNameParts): boolean {
  return standard === 'stonith';
}

function isTakenByAll(agent: AgentNameParts, name: string): boolean {
  if (isDevice(agent)) return name.startsWith('pcmk_') || OF_DEVICES.has(name) || GIVEN_TO_DEVICES.has(name);
  return OF_ALL_OCF.has(name) || name.startsWith('CRM_meta_');
}

function subjectOf({ name, attributes }: XmlElement): string {
  return attributes['id'] ?? name;
}
