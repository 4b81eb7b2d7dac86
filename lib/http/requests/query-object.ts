import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';

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
