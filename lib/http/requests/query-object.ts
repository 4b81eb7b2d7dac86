import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';

const GARBLED =
  'Ce texte n’est pas de l’UTF-8 (une adresse y écrit «\u00a0é\u00a0» %C3%A9), ou contient le caractère de remplacement U+FFFD.';

/**
 * Refuses a parameter whose bytes are no UTF-8: read with a replacement character for each, it would be looked for as another text, and found
 * nowhere. By the character, not by the bytes: Next has encoded the address anew. Errors: `code`, naming the parameter.
 */
export function refuseGarbledQuery(url: URL, code: ErrorCode): void {
  for (const [name, value] of url.searchParams)
    if (value.includes('\ufffd'))
      throw new ServiceError(code, {
        message: `${name}\u00a0: ${GARBLED}`,
        problems: [{ field: name, message: GARBLED }],
      });
}

/** Query parameters as an object. Errors: `code`, naming a parameter that is given twice. */
export function queryObject(url: URL, code: ErrorCode): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(result, name)) {
      const message = 'Ce paramètre est donné deux fois.';
      throw new ServiceError(code, {
        message: `${name}\u00a0: ${message}`,
        problems: [{ field: name, message }],
      });
    }
    Object.defineProperty(result, name, { value, enumerable: true });
  }
  return result;
}
