/**
 * One element of the configuration before and after; both are XML text. Without `before` the element is new, without `after` it is gone.
 */
export interface ElementChange {
  /** Element name, e.g. `primitive`, `rsc_location`, `nvpair`; `configuration` for the whole; `#comment` for a comment. */
  readonly kind: string;
  /**
   * The element's id; empty for an element without one, which is then the only one of its name below its parent. For a comment that
   * goes: its number among the parent's comments before the change, from 0.
   */
  readonly id: string;
  /**
   * The parent's path from the root, e.g. `configuration/resources` or `configuration/resources/primitive[@id='db']`; empty for
   * `configuration` itself.
   */
  readonly path: string;
  /** XML before; absent for what is new. */
  readonly before?: string;
  /** XML after; absent for what is removed. */
  readonly after?: string;
  /**
   * Index among all children of the parent (comments count) once all changes of this parent that stand together in the list are made;
   * given for what is new or moved.
   */
  readonly position?: number;
}

/** The `kind` of a change of a comment. */
export const COMMENT_KIND = '#comment';

/** Thrown when a change does not fit the document it is applied to. */
export class ElementChangeError extends Error {
  override readonly name = 'ElementChangeError';

  constructor(
    readonly change: ElementChange,
    message: string,
  ) {
    super(message);
  }
}
