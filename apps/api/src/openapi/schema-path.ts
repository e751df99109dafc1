/** The reference to a schema of the document that no class describes. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}
