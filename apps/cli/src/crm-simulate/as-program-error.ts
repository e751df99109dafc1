import { CibRefused, XmlError } from '@systole/cib';
import { InvalidTimeError, UnknownNodeError } from '@systole/simulator';
import { EXIT, ProgramError } from './exit-codes.js';

/**
 * An error of the simulation as one that ends the program.
 *
 * @throws the error itself when it is none that can be expected.
 */
export function asProgramError(error: unknown): ProgramError {
  if (error instanceof ProgramError) return error;
  if (error instanceof InvalidTimeError) return new ProgramError(EXIT.usage, `crm_simulate: --set-datetime: ${error.message}`);
  if (error instanceof UnknownNodeError) return new ProgramError(EXIT.error, `crm_simulate: ${error.message}`);
  if (error instanceof XmlError || error instanceof CibRefused) return new ProgramError(EXIT.config, `crm_simulate: ${error.message}`);
  throw error;
}
