import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { hasMountNamespaces } from '@systole/examples';
import { AgentsLab, LAB_AGENTS, isElsewhere, isOn, prefersAlpha, scripted } from './agents-lab.js';

const SWITCH = fileURLToPath(new URL('../../agents/fence/fence_systole_demo', import.meta.url));

let directory: string | undefined;
let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  lab = undefined;
  directory = undefined;
});

/**
 * A fence agent that writes down when it is told what, by device and by whom: `seconds device action plug node`. It fails where its parameter `fails` says so, and else does what the demonstration's does.
 */
function recorder(calls: string): string {
  return `#!/bin/sh
options=$(cat)
value() { printf '%s\\n' "$options" | sed -n "s/^$1=//p" | tail -1; }
action=$(value action)
case "$action" in
metadata)
	cat <<END
<?xml version="1.0"?>
<resource-agent name="fence_recorder" shortdesc="records">
<parameters>
<parameter name="plug" unique="0" required="0"><content type="string"/></parameter>
<parameter name="called" unique="0" required="0"><content type="string"/></parameter>
<parameter name="fails" unique="0" required="0"><content type="string"/></parameter>
<parameter name="piddir" unique="0" required="0"><content type="string"/></parameter>
</parameters>
<actions><action name="on" automatic="1"/><action name="off"/><action name="reboot"/><action name="cycle"/><action name="monitor"/><action name="metadata"/></actions>
</resource-agent>
END
	exit 0 ;;
monitor) exit 0 ;;
esac
echo "$(date +%s) $(value called) $action $(value plug)" >>'${calls}'
[ "$(value fails)" = yes ] && exit 1
[ "$action" = on ] && exit 0
printf 'action=off\\nplug=%s\\npiddir=%s\\n' "$(value plug)" "$(value piddir)" | '${SWITCH}'
`;
}

function device(id: string, parameters: Readonly<Record<string, string>>, meta = ''): string {
  const pairs = Object.entries({ called: id, piddir: '@PIDDIR@', ...parameters });
  return `<primitive id="${id}" class="stonith" type="fence_recorder">${meta}<instance_attributes id="${id}-p">${pairs
    .map(([name, value]) => `<nvpair id="${id}-${name}" name="${name}" value="${value}"/>`)
    .join('')}</instance_attributes></primitive>`;
}

interface Call {
  readonly at: number;
  readonly what: string;
}

async function started(resources: string, levels = ''): Promise<{ readonly at: AgentsLab; readonly calls: () => readonly Call[] }> {
  const fences = await mkdtemp(join(tmpdir(), 'systole-recorder-'));
  directory = fences;
  const file = join(fences, 'calls');
  await writeFile(join(fences, 'fence_recorder'), recorder(file), { mode: 0o755 });
  const at = await AgentsLab.start({
    fencing: true,
    leaseMs: 5_000,
    resources,
    constraints: prefersAlpha('a'),
    more: levels === '' ? '' : `<fencing-topology>${levels}</fencing-topology>`,
    allow: [...LAB_AGENTS, 'stonith:fence_recorder'],
    flagsOf: () => ['--fence-dir', fences],
  });
  lab = at;
  await at.settled('a runs on alpha', (view) => isOn('a', 'alpha')(view) && view.nodes.every(({ online }) => online));
  const calls = (): readonly Call[] =>
    (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map((line) => {
      const [seconds = '', ...what] = line.split(' ');
      return { at: Number(seconds), what: what.join(' ') };
    });
  return { at, calls };
}

describe.skipIf(!hasMountNamespaces())('what a configuration says of fencing', () => {
  it('levels by a pattern, tries of a device, another word for its action, and a delay by node', { timeout: 240_000 }, async () => {
    const { at, calls } = await started(
      device('first', { fails: 'yes', pcmk_reboot_retries: '3', pcmk_host_check: 'none' }) +
        device('second', { pcmk_reboot_action: 'cycle', pcmk_delay_base: 'alpha:3s;bravo:9s', pcmk_host_check: 'none' }) +
        scripted('a'),
      '<fencing-level id="l1" index="1" target-pattern="^ALP" devices="first"/><fencing-level id="l2" index="2" target-pattern="^ALP" devices="second"/>' +
        '<fencing-level id="l3" index="1" target-attribute="rack" target-value="r1" devices="second"/>',
    );
    const before = await at.cluster.version();
    at.cluster.node('alpha').kill();
    await at.settled('a runs elsewhere', isElsewhere('a', 'alpha'));
    expect(calls().map(({ what }) => what)).toEqual([
      'first reboot alpha',
      'first reboot alpha',
      'first reboot alpha',
      'second cycle alpha',
    ]);
    const [, , last, done] = calls();
    expect((done?.at ?? 0) - (last?.at ?? 0)).toBeGreaterThanOrEqual(2);
    const ended = await at.events('FencingCompleted', before);
    expect(ended.map(({ device: by, outcome }) => `${by} ${outcome}`)).toEqual([
      ...['first failed', 'first failed', 'first failed'],
      'second succeeded',
    ]);
  });

  it('unfencing: each node is switched on by itself before what requires that starts there', { timeout: 120_000 }, async () => {
    const meta = (id: string, name: string, value: string): string =>
      `<meta_attributes id="${id}-m"><nvpair id="${id}-m-${name}" name="${name}" value="${value}"/></meta_attributes>`;
    const { at, calls } = await started(
      device('fabric', { pcmk_host_check: 'none' }, meta('fabric', 'provides', 'unfencing')) +
        scripted('a', meta('a', 'requires', 'unfencing')),
    );
    const on = (await at.events('FencingCompleted')).filter(({ action, outcome }) => action === 'on' && outcome === 'succeeded');
    expect(on.map(({ target, executor }) => `${target} by ${executor}`)).toContain('alpha by alpha');
    expect(calls().map(({ what }) => what)).toContain('fabric on alpha');
    const events = await at.cluster.eventsAfter(0);
    const versionOf = (type: string, holds: (data: object) => boolean): number =>
      events.find(({ event }) => event.type === type && holds(event.data))?.version ?? 0;
    const switchedOn = versionOf('FencingCompleted', (data) => 'target' in data && data.target === 'alpha');
    const begun = versionOf(
      'OperationRecorded',
      (data) => JSON.stringify(data).includes('"resource":"a"') && JSON.stringify(data).includes('"operation":"start"'),
    );
    expect(switchedOn).toBeLessThan(begun);
  });
});
