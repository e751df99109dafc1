import { inertOption, isClusterOption } from '../options/option-mistake.js';
import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from '../options/cluster-option-definitions.js';
import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import { childElements, childrenNamed, type XmlElement } from '../xml/element.js';

/** Something that a configuration can ask for, that is kept, and that nobody does. */
export interface NotDone {
  /** What it is, in the words of the configuration; a row of the documentation's list. */
  readonly what: string;
  /** What happens instead, or what to do. */
  readonly instead: string;
  /** The element that asks for it, among an element and its children; absent where no configuration shows it. */
  readonly askedBy?: (element: XmlElement) => readonly XmlElement[];
}

const itself = (is: boolean, element: XmlElement): readonly XmlElement[] => (is ? [element] : []);

/** What is accepted and not done, beside cluster options (whose table says so itself). The one list: what is found in a configuration, and the page of the documentation, come from it. */
export const NOT_DONE: readonly NotDone[] = [
  {
    what: '`alert` (alerts)',
    instead: 'alerts are kept and not run: follow the events instead (`systole events --follow`, or the event stream)',
    askedBy: (element) => itself(element.name === 'alert', element),
  },
  {
    what: '`acl_role`, `acl_target`, `acl_group` (ACLs)',
    instead: 'they are kept and not enforced: who may do what is said by tokens and their roles',
    askedBy: (element) => itself(element.name === 'acl_target' || element.name === 'acl_group', element),
  },
  {
    what: 'remote nodes: primitives `ocf:pacemaker:remote`',
    instead: 'what is to happen on remote nodes is planned and not carried out: install an agent there, and make it a node',
    askedBy: (element) =>
      itself(
        (element.name === 'primitive' || element.name === 'template') &&
          element.attributes['class'] === 'ocf' &&
          element.attributes['provider'] === 'pacemaker' &&
          element.attributes['type'] === 'remote',
        element,
      ),
  },
  {
    what: 'guest nodes: the meta-attribute `remote-node`',
    instead: 'what is to happen on guest nodes is planned and not carried out',
    askedBy: (element) =>
      childrenNamed(element, 'meta_attributes').flatMap((set) =>
        pairElements(set).filter(({ attributes: { name, value } }) => name === 'remote-node' && value !== undefined && !isDefault(value)),
      ),
  },
  {
    what: 'bundles with a primitive inside',
    instead: 'what is to happen inside of the containers is planned and not carried out',
    askedBy: (element) => itself(element.name === 'bundle' && childElements(element).some(({ name }) => name === 'primitive'), element),
  },
  { what: '`crm_attribute` in resource agents, for cluster options or utilization', instead: 'it sets attributes of nodes only' },
  { what: 'dampening of attributes (`attrd_updater --delay`)', instead: 'an attribute counts at once' },
];

/** What a cluster option asks for that nobody does; undefined where it is done. */
export function notDoneOption(name: string, value: string): string | undefined {
  return isClusterOption(name) ? inertOption(name, value) : undefined;
}

const HEAD = `# Accepted, and not done

What a configuration may say and Systole keeps, for other tools or for the day when the configuration goes back, but does not do. An import and each other write that brings it in name it, and so does the
status (\`systole status\`, \`findings\` in JSON), where the configuration shows it and asks for more than what happens anyway.

This page is made from the tables in \`libs/cib\`; \`npx vitest run --project unit -u libs/cib/src/findings\` writes it anew.
`;

/** The page of the documentation, in Markdown. */
export function notDonePage(): string {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  const options = all.flatMap(({ name, alias, inert }) =>
    inert === undefined ? [] : [`- \`${name}\`${alias === undefined ? '' : ` (older: \`${alias}\`)`}: ${inert}.`],
  );
  const others = NOT_DONE.map(({ what, instead }) => `- ${what}: ${instead}.`);
  return `${HEAD}\n## Parts of the configuration\n\n${others.join('\n')}\n\n## Cluster options\n\n${options.join('\n')}\n`;
}
