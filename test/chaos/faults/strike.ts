import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosLab } from '../lab/chaos-lab.js';
import { withMaintenance } from '../lab/cluster-configuration.js';
import {
  isNode,
  NODES,
  type ClockName,
  type Fault,
  type MachineName,
  type MaintenanceScope,
  type NodeName,
  type ResourceName,
} from './fault.js';

/** A span of time in which the log lost its tail: what was acknowledged in it is gone. */
export interface LostTail {
  readonly from: number;
  readonly to: number;
}

/** Does it, waits, and heals it. */
export async function strike(lab: ChaosLab, fault: Fault, onLostTail: (lost: LostTail) => void): Promise<void> {
  const heal = await begin(lab, fault, onLostTail);
  await sleep(fault.ms);
  await heal();
}

type Heal = () => Promise<void>;

async function begin(lab: ChaosLab, fault: Fault, onLostTail: (lost: LostTail) => void): Promise<Heal> {
  switch (fault.kind) {
    case 'kill':
      return kill(lab, fault.target);
    case 'power-cut':
      return cutPower(lab, fault.target);
    case 'kill-resource':
      return killResource(lab, fault.resource);
    case 'freeze':
      return freeze(lab, fault.target);
    case 'freeze-agent':
      return freezeAgent(lab, fault.target);
    case 'partition': {
      const lost = { inbound: fault.direction === 'outbound' ? 0 : 100, outbound: fault.direction === 'inbound' ? 0 : 100 };
      return disturbLinks(lab, fault.targets, lost);
    }
    case 'packet-loss':
      return disturbLinks(lab, fault.targets, { inbound: fault.percent, outbound: fault.percent });
    case 'delay':
      return disturbPaths(lab, fault.targets, { delayMs: fault.delayMs, losesAnswers: false });
    case 'lost-answers':
      return disturbPaths(lab, fault.targets, { delayMs: 0, losesAnswers: true });
    case 'clock-step':
      return stepClock(lab, fault.target, fault.seconds);
    case 'restored-database':
      return restoreDatabase(lab, onLostTail);
    case 'disk-full':
      return fillDisk(lab, fault.target);
    case 'maintenance':
      return maintain(lab, fault.of);
    case 'cloned-machine':
      return cloneMachine(lab, fault);
  }
}

async function kill(lab: ChaosLab, target: MachineName): Promise<Heal> {
  const service = lab.service(target);
  service.hold();
  if (isNode(target)) service.signal('SIGKILL');
  else await lab.machine(target).kill();
  return () => service.start();
}

async function cutPower(lab: ChaosLab, target: NodeName): Promise<Heal> {
  const service = lab.service(target);
  service.hold();
  await lab.machine(target).kill();
  return () => service.start();
}

function killResource(lab: ChaosLab, resource: ResourceName): Heal {
  // As ocf:chaos:Witnessed names its processes; that there is none is no error, it may just be moving.
  for (const node of NODES) lab.machine(node).signal('SIGKILL', `witnessed:${resource}@`);
  return () => Promise.resolve();
}

function freeze(lab: ChaosLab, target: MachineName): Heal {
  const machine = lab.machine(target);
  machine.signal('SIGSTOP');
  return () => {
    machine.signal('SIGCONT');
    return Promise.resolve();
  };
}

function freezeAgent(lab: ChaosLab, target: NodeName): Heal {
  const { agent } = lab.node(target);
  agent.signal('SIGSTOP');
  return () => {
    agent.signal('SIGCONT');
    return Promise.resolve();
  };
}

async function disturbLinks(
  lab: ChaosLab,
  targets: readonly MachineName[],
  link: { readonly inbound: number; readonly outbound: number },
): Promise<Heal> {
  await Promise.all(targets.map((target) => lab.machine(target).setLink(link)));
  return async () => {
    await Promise.all(targets.map((target) => lab.machine(target).setLink({ inbound: 0, outbound: 0 })));
  };
}

function disturbPaths(
  lab: ChaosLab,
  targets: readonly NodeName[],
  path: { readonly delayMs: number; readonly losesAnswers: boolean },
): Heal {
  for (const target of targets) lab.address.setPath(lab.machine(target).address, path);
  return () => {
    for (const target of targets) lab.address.setPath(lab.machine(target).address);
    return Promise.resolve();
  };
}

function stepClock(lab: ChaosLab, target: ClockName, seconds: number): Heal {
  const clock = lab.clock(target);
  clock.set(seconds);
  return () => {
    clock.set(0);
    return Promise.resolve();
  };
}

async function restoreDatabase(lab: ChaosLab, onLostTail: (lost: LostTail) => void): Promise<Heal> {
  const machine = lab.machine('postgresql');
  const service = lab.service('postgresql');
  const from = Date.now();
  await lab.postgresql.takeCopy(machine);
  return async () => {
    service.hold();
    await machine.kill();
    await lab.postgresql.putBack();
    onLostTail({ from, to: Date.now() });
    await service.start();
  };
}

async function fillDisk(lab: ChaosLab, target: NodeName): Promise<Heal> {
  const node = lab.node(target);
  await node.fillDisk();
  return () => node.emptyDisk();
}

async function maintain(lab: ChaosLab, scope: MaintenanceScope): Promise<Heal> {
  const set = (on: boolean) =>
    lab.changeConfiguration((cib) => withMaintenance(cib, scope, on), `maintenance of ${scope}: ${on ? 'on' : 'off'}`);
  await set(true);
  return async () => {
    await set(false);
  };
}

/** The original is cut off in the meantime, or not at all. */
async function cloneMachine(lab: ChaosLab, { target, cut, gapMs }: Fault & { readonly kind: 'cloned-machine' }): Promise<Heal> {
  const original = lab.machine(target);
  const cutOff = (): Promise<void> => original.setLink({ inbound: 100, outbound: 100 });
  if (cut === 'before') {
    await cutOff();
    await sleep(gapMs);
  }
  const switchOff = await lab.switchOnClone(target);
  if (cut === 'after') {
    await sleep(gapMs);
    await cutOff();
  }
  return async () => {
    await switchOff();
    await original.setLink({ inbound: 0, outbound: 0 });
  };
}
