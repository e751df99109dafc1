/** What the comment block at the head of an init script says (LSB Core 5.0, "Comment Conventions for Init Scripts"). */
export interface LsbHeader {
  readonly provides: string;
  readonly shortDescription?: string;
  readonly description?: string;
}

/** Reads it; undefined when the script has none. */
export function readLsbHeader(script: string): LsbHeader | undefined {
  const [, block] = /^### BEGIN INIT INFO\s*$([^]*?)^### END INIT INFO\s*$/m.exec(script) ?? [];
  if (block === undefined) return undefined;
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const line of block.split('\n')) {
    const [, keyword, value = ''] = /^#\s?([A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
    // A description goes on in lines that begin with a tab or two blanks.
    const [, more] = /^#(?:\t| {2,})(.*)$/.exec(line) ?? [];
    if (keyword !== undefined) values.set((last = keyword.toLowerCase()), value.trim());
    else if (more !== undefined && last === 'description') values.set(last, `${values.get(last) ?? ''} ${more.trim()}`.trim());
  }
  const [short, long] = [values.get('short-description'), values.get('description')];
  return {
    provides: values.get('provides') ?? '',
    ...(short === undefined || short === '' ? {} : { shortDescription: short }),
    ...(long === undefined || long === '' ? {} : { description: long }),
  };
}
