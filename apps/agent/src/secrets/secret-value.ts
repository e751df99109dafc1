/** A secret's value, or why there is none; the reason never holds any of it. */
export type SecretValue = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly problem: string };
