/** The part of the library that is used; it has no types of its own. */
declare module 'seek-bzip' {
  const bunzip: {
    /**
     * @param output absent: the result is returned.
     * @param multistream streams that follow one another are read, too.
     * @throws {TypeError} when the input is damaged.
     */
    decode(input: Uint8Array, output: undefined, multistream: boolean): Uint8Array;
  };
  export default bunzip;
}
