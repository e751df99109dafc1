import { childElements, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { newBoolean, withNewNames, withNewValues, withoutOld } from './from-0-attributes.js';
import type { UpgradeLog } from './upgrade-log.js';

const RENAMED: Readonly<Record<string, string>> = {
  have_quorum: 'have-quorum',
  dc_uuid: 'dc-uuid',
  remote_tls_port: 'remote-tls-port',
  remote_clear_port: 'remote-clear-port',
  no_quorum_panic: 'no-quorum-panic',
};

const OF_THE_CLUSTER_THEN = 'it says how the cluster was when this was written, and nothing reads it';
const NOTHING_READS_IT = 'nothing reads it';

const DROPPED: Readonly<Record<string, string>> = {
  num_peers: OF_THE_CLUSTER_THEN,
  ccm_transition: OF_THE_CLUSTER_THEN,
  generated: OF_THE_CLUSTER_THEN,
  origin: OF_THE_CLUSTER_THEN,
  'crm-debug-origin': OF_THE_CLUSTER_THEN,
  debug_source: OF_THE_CLUSTER_THEN,
  cib_feature_revision: 'crm_feature_set took its place',
  cib_feature_revision_max: 'crm_feature_set took its place',
  ignore_dtd: 'documents are always validated now',
  'ignore-dtd': 'documents are always validated now',
  remote_access_port: 'the configuration is had over the API',
  time: NOTHING_READS_IT,
  timestamp: NOTHING_READS_IT,
};

const VERSION = ['admin_epoch', 'epoch', 'num_updates'];

/** Sections that had not to be there if they were empty. */
const SECTIONS = ['crm_config', 'nodes', 'resources', 'constraints'];

/** What a document says of itself, its sections, and its status: of that time's there is nothing that could be read now. */
export function upgradeRoot(document: XmlElement, log: UpgradeLog): XmlElement {
  const renamed = withNewNames(document, RENAMED, log);
  const named = withoutOld(withNewValues(renamed, ['have-quorum', 'no-quorum-panic'], newBoolean, log), DROPPED, log);
  const missing = VERSION.filter((name) => named.attributes[name] === undefined);
  for (const name of missing) log.rewritten(document, `${name} was not given, and is "0" now`);
  const versioned = withAttributes(named, Object.fromEntries(missing.map((name) => [name, '0'])));
  return {
    ...versioned,
    children: versioned.children.map((child) => {
      if (child.kind === 'comment') return child;
      if (child.name === 'status') return withoutStatus(child, log);
      return child.name === 'configuration' ? withSections(child, log) : child;
    }),
  };
}

function withoutStatus(status: XmlElement, log: UpgradeLog): XmlElement {
  const kept = childElements(status).length;
  if (kept === 0) return status;
  log.dropped(status, `the status is left out, ${kept} ${kept === 1 ? 'entry' : 'entries'} in all: what runs where is found out by probes`);
  return { ...status, children: [] };
}

function withSections(configuration: XmlElement, log: UpgradeLog): XmlElement {
  const missing = SECTIONS.filter((name) => firstChildNamed(configuration, name) === undefined);
  if (missing.length === 0) return configuration;
  log.rewritten(configuration, `it had no ${missing.map((name) => `<${name}>`).join(', ')}: made, and empty`);
  return { ...configuration, children: [...configuration.children, ...missing.map((name) => element(name))] };
}
