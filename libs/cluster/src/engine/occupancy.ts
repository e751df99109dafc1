import type { EngineLimits } from './engine-types.js';
import type { Room } from './ready-actions.js';

interface OnNode {
  actions: number;
  migrations: number;
}

/** How many actions are in flight, and whether the limits have room for another one. */
export class Occupancy implements Room {
  private total = 0;
  private bulk = 0;
  private readonly byNode = new Map<string, OnNode>();

  constructor(private readonly limits: EngineLimits) {}

  inAll(large: boolean): boolean {
    const { batch, bulk } = this.limits;
    if (this.total >= batch) return false;
    return !large || bulk === undefined || this.bulk < bulk;
  }

  on(node: string, migration: boolean): boolean {
    const { actionsPerNode, actionsOnNode, migrationsPerNode } = this.limits;
    const on = this.byNode.get(node);
    if (on === undefined) return true;
    return (
      on.actions < (actionsOnNode?.get(node) ?? actionsPerNode) &&
      !(migration && migrationsPerNode !== undefined && on.migrations >= migrationsPerNode)
    );
  }

  /** @param bulk what it carries beyond what is free to each, characters */
  add(node: string, migration: boolean, bulk: number): void {
    this.count(node, migration, 1);
    this.bulk += bulk;
  }

  remove(node: string, migration: boolean, bulk: number): void {
    this.count(node, migration, -1);
    this.bulk -= bulk;
  }

  private count(node: string, migration: boolean, by: 1 | -1): void {
    const on = this.byNode.get(node) ?? { actions: 0, migrations: 0 };
    this.byNode.set(node, on);
    on.actions += by;
    if (migration) on.migrations += by;
    this.total += by;
  }
}
