const named: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Escapes an attribute value (specification 08 §3.10): markup by name, other non-printable ASCII by number, the rest stays. */
export function escapeValue(value: string): string {
  return value.replace(/[<>&"\p{Cc}]/gu, (character) => {
    const name = named[character];
    if (name !== undefined) return name;
    const code = character.charCodeAt(0);
    return code > 0x7f ? character : `&#x${code.toString(16).toUpperCase().padStart(2, '0')};`;
  });
}

/** A run of attributes as it stands in a tag, a blank before each; undefined values are left out. */
export function attributesText(attributes: Readonly<Record<string, string | number | undefined>>): string {
  let text = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) text += ` ${name}="${typeof value === 'number' ? value : escapeValue(value)}"`;
  }
  return text;
}
