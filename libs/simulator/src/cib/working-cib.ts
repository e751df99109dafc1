import { element, type XmlElement } from '@systole/cib';
import { Draft } from './draft.js';
import { mergeRepeated } from './merge-repeated.js';

/** A node is named that neither the status nor the configuration knows, and none may be made up. */
export class UnknownNodeError extends Error {
  override readonly name = 'UnknownNodeError';

  constructor(readonly node: string) {
    super(`node "${node}" is neither in the status nor in the configuration: bring it online first (-u ${node}), or use another name`);
  }
}

/** The CIB that a simulation changes (specification 08 §9): the given document stays as it is. */
export class WorkingCib {
  /** Nodes that come up in the simulation enter the configuration, too (specification 08 §10.2, row 3). */
  addsNodes = false;
  private readonly root: Draft;
  private readonly states = new Map<string, Draft>();
  /** States that were handed out to be changed, and may hold repeated elements. */
  private readonly unmerged = new Set<Draft>();
  /** States that hold none. */
  private readonly unrepeated = new Set<Draft>();

  constructor(document: XmlElement) {
    this.root = new Draft(document);
  }

  get status(): Draft {
    return this.root.firstOrNew('status');
  }

  get configuration(): Draft {
    return this.root.firstOrNew('configuration');
  }

  /** Attribute of the `cib` element itself. */
  setRootAttribute(name: string, value: string): void {
    this.root.set(name, value);
    this.countChange();
  }

  /** Counts a change of anything but the configuration, as the document's version does (specification 08 §9.5). */
  countChange(): void {
    this.root.set('num_updates', String((Number.parseInt(this.root.get('num_updates') ?? '', 10) || 0) + 1));
  }

  /** Counts a change of the configuration. */
  countConfigurationChange(): void {
    this.root.setAll({ epoch: String((Number.parseInt(this.root.get('epoch') ?? '', 10) || 0) + 1), num_updates: '0' });
  }

  document(): XmlElement {
    for (const state of this.unmerged) this.writeBack(state);
    return this.root.finish();
  }

  /**
   * The `node_state` of a node, to be changed once: by name, else by id, else made with these two (specification 08 §9.3). Each change is
   * written back before the next (specification 08 §9.5), so ask anew for each.
   *
   * @param id for a new one.
   */
  nodeState(name: string, id: string): Draft {
    if (this.addsNodes) this.addToConfiguration(name);
    let state = this.states.get(name);
    if (!state) {
      state = this.existingState(name) ?? this.status.byId('node_state', id) ?? this.addState(name, id);
      this.states.set(name, state);
    }
    if (this.unmerged.has(state)) this.writeBack(state);
    if (!this.unrepeated.has(state)) this.unmerged.add(state);
    this.countChange();
    return state;
  }

  /** Removes what is below a `node_state` under that name, if anything. */
  removeFromState(state: Draft, name: string): void {
    if (!state.first(name)) return;
    state.remove(name);
    this.countChange();
  }

  /**
   * The `node_state` of a node that only its name is known of; the id of a new one comes from the configuration.
   *
   * @throws {UnknownNodeError} when there is neither and nodes are not added.
   */
  nodeStateByName(name: string): Draft {
    if (this.existingState(name)) return this.nodeState(name, name);
    const configured = this.configuration.first('nodes')?.find('node', (get) => get('uname')?.toLowerCase() === name.toLowerCase());
    if (!configured && !this.addsNodes) throw new UnknownNodeError(name);
    return this.nodeState(name, configured?.get('id') ?? name);
  }

  private writeBack(state: Draft): void {
    this.unmerged.delete(state);
    if (!state.rewrite(mergeRepeated)) this.unrepeated.add(state);
  }

  private existingState(name: string): Draft | undefined {
    return this.states.get(name) ?? this.status.find('node_state', (get) => get('uname') === name);
  }

  private addState(name: string, id: string): Draft {
    this.countChange();
    return this.status.append(element('node_state', { id, uname: name }));
  }

  private addToConfiguration(name: string): void {
    const nodes = this.configuration.firstOrNew('nodes');
    if (nodes.find('node', (get) => get('uname')?.toLowerCase() === name.toLowerCase())) return;
    nodes.append(element('node', { id: name, uname: name }));
    this.countConfigurationChange();
  }
}
