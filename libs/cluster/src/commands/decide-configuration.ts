import { CibRefused, element, firstChildNamed, readCib, serializeXml, XmlError } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { changeConfiguration, invalidConfiguration } from './configuration-change.js';
import { putOnly } from '../state/tree.js';
import type { ConfigurationReading, CreateCluster, Decision, ReplaceConfiguration } from './cluster-command.js';
import { accept, NAME, reject } from './rejection.js';

/** Reads a document as strictly as one who edits the configuration must be read. The costly part of every command that carries one. */
export function readConfiguration(text: string): ConfigurationReading {
  try {
    const { document } = readCib(text, { strict: true, mistakes: 'refuse' });
    if (firstChildNamed(document, 'configuration') === undefined) return { ok: false, issues: [{ message: 'cib has no configuration' }] };
    return { ok: true, cib: putOnly(document, element('status')) };
  } catch (thrown) {
    if (thrown instanceof XmlError) {
      return { ok: false, issues: [{ message: thrown.message, ...(thrown.line === undefined ? {} : { line: thrown.line }) }] };
    }
    if (!(thrown instanceof CibRefused)) throw thrown;
    const issues = thrown.problems.map(({ message, path, line }) => ({ message, path, ...(line === undefined ? {} : { line }) }));
    return { ok: false, issues: issues.length > 0 ? issues : [{ message: thrown.message }] };
  }
}

export function createCluster(command: CreateCluster, state: ClusterState, read: typeof readConfiguration): Decision {
  if (state.existence !== 'none') return reject(state, 'cluster-exists', `the cluster ${state.name} exists already`);
  if (!NAME.test(command.name)) {
    return reject(state, 'invalid-argument', 'a name is 1 to 64 characters of A-Z a-z 0-9 . _ - and begins with a letter or digit', {
      pointer: '/name',
    });
  }
  if (command.cib === undefined) return accept({ type: 'ClusterCreated', data: { name: command.name, cib: '' } });
  const reading = read(command.cib);
  if (!reading.ok) return invalidConfiguration(state, reading.issues);
  return accept({ type: 'ClusterCreated', data: { name: command.name, cib: serializeXml(reading.cib) } });
}

/** Replaces the configuration but for what is known of the nodes (`withKnownNodes`). */
export function replaceConfiguration(command: ReplaceConfiguration, state: ClusterState, read: typeof readConfiguration): Decision {
  const reading = read(command.cib);
  if (!reading.ok) return invalidConfiguration(state, reading.issues);
  const { type, reason } = command;
  return changeConfiguration(state, reading.cib, { command: type, arguments: {}, ...(reason === undefined ? {} : { reason }) }, 'read');
}
