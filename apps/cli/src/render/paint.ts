const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** Colours a text for a terminal, or leaves it as it is. */
export type Paint = (colour: keyof typeof CODES, text: string) => string;

export const coloured: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
export const uncoloured: Paint = (_, text) => text;
