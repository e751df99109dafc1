import type { XmlElement } from '@systole/cib';

/** What is said on standard error of a CIB that asks not to be validated (specification 08 §11); undefined for all others. */
export function validationNotice(document: XmlElement): string | undefined {
  if (document.attributes['validate-with'] !== 'none') return undefined;
  return (
    'Schema validation of configuration is disabled ' +
    '(support for validate-with set to "none" is deprecated and will be removed in a future release)'
  );
}
