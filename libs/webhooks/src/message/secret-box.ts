/** How secrets lie in the database. */
export interface SecretBox {
  /** @param webhookId at that of another it does not open */
  seal(secret: string, webhookId: string): string;
  /** @returns undefined when it can't be opened: with the keys that are here, or at all */
  open(sealed: string, webhookId: string): string | undefined;
}

/** As they are: whoever reads the database reads them. */
export const OPEN_BOX: SecretBox = {
  seal: (secret) => secret,
  open: (sealed) => sealed,
};
