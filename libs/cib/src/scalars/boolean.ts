/**
 * Reads a boolean, ASCII case ignored: `true on yes y 1` and `false off no n 0` (specification 01 §10.4).
 * Undefined for a missing or invalid text; the consumer decides what that means.
 */
export function parseBoolean(text: string | undefined): boolean | undefined {
  switch (text?.toLowerCase()) {
    case 'true':
    case 'on':
    case 'yes':
    case 'y':
    case '1':
      return true;
    case 'false':
    case 'off':
    case 'no':
    case 'n':
    case '0':
      return false;
    default:
      return undefined;
  }
}
