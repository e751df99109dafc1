/** The process that called a tool, as far as the tool needs it: what only that process can do, because files, standard input and the place in the process tree are its own. */
export interface Caller {
  /** All of its standard input, a document as {@link Caller.read} reads one; never asked for unless the arguments say so, because agents' loops read from the same. */
  readonly stdin: () => Promise<string>;
  /**
   * All of a document in a file that it named, in the encoding that it declares, read as itself: relative to where it is, with its rights, and what only it has open (`<(cibadmin -Q)`).
   *
   * @throws with the reason when it can't be read, or holds bytes that are none of its encoding
   */
  readonly read: (path: string) => Promise<string>;
  /** Prints at once. */
  readonly write: (text: string) => void;
  /** Goes to the background and writes its process id to a file, unless the name is empty; when the agent is started anew, it calls again with `isAgain`. */
  readonly detach: (pidFile: string) => void;
  /** Writes a file, so that readers see the old one or the new one. */
  readonly file: (path: string, content: string) => void;
  /** Writes a file that there is in its place, with the rights that it has: whoever has it open reads what is new. */
  readonly overwrite: (path: string, content: string) => void;
  /** The same of a file that the call is about: it fails (73) where that can't be written. */
  readonly create: (path: string, content: string) => void;
  /** Takes a file away; the call fails (73) where that can't be. */
  readonly remove: (path: string) => void;
  /** Runs a program to its end, with these variables added to its environment. */
  readonly run: (program: string, environment: Readonly<Record<string, string>>) => void;
  /** Aborted when it has ended. */
  readonly gone: AbortSignal;
}
