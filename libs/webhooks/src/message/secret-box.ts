/** How secrets lie in the database. */
export interface SecretBox {
  seal(secret: string): Promise<string>;
  /** @throws when it can't be opened */
  open(sealed: string): Promise<string>;
}

/** As they are: whoever reads the database reads them. */
export const OPEN_BOX: SecretBox = {
  seal: (secret) => Promise.resolve(secret),
  open: (sealed) => Promise.resolve(sealed),
};
