import type { StatusDto, TroubleDto } from './status.dto.js';

type Resource = StatusDto['resources'][number];

/** Names that a text lists before it only counts. */
const NAMED = 3;

/**
 * Resources that should run and do not (`stopped`), that nobody is about to start: services are down. Fence devices are no service, and can be used also where
 * they are not running; what is not managed the cluster was told to leave alone.
 */
export function downTroubles(resources: readonly Resource[]): readonly TroubleDto[] {
  const down = resources.flatMap(downIn);
  const devices = down.filter(({ agent }) => agent?.class === 'stonith');
  const services = down.filter(({ agent }) => agent?.class !== 'stonith');
  return [
    ...(services.length === 0 ? [] : [{ code: 'resources-down', level: 'bad', text: downText(services, 'resource') } as const]),
    ...(devices.length === 0 ? [] : [{ code: 'devices-down', level: 'warn', text: downText(devices, 'fence device') } as const]),
  ];
}

function downIn(resource: Resource): readonly Resource[] {
  const { kind, managed, wrong = [], children } = resource;
  const isDown = wrong.includes('stopped') && (managed || kind !== 'primitive');
  return isDown ? [resource] : children.flatMap(downIn);
}

function downText(down: readonly Resource[], what: string): string {
  const names = down.slice(0, NAMED).map(({ id }) => id);
  const more = down.length > NAMED ? [`${String(down.length - NAMED)} more`] : [];
  const all = [...names, ...more].join(', ');
  return down.length === 1
    ? `1 ${what} should run, and does not: ${all}`
    : `${String(down.length)} ${what}s should run, and do not: ${all}`;
}
