/** The id in the configuration of what histories, graphs and listings name: `web:0` is an instance of `web`; everything else is itself. */
export function primitiveIdOf(name: string): string {
  return name.replace(/:\d+$/, '');
}
