import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';

/** Query parameters as an object. Errors: `code`, naming a parameter that is given twice or holds what is no text. */
export function queryObject(url: URL, code: ErrorCode): Record<string, string> {
  const result: Record<string, string> = {};
  const refuse = (field: string, message: string) =>
    new ServiceError(code, { message: `${field}\u00a0: ${message}`, problems: [{ field, message }] });
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(result, name)) throw refuse(name, 'Ce paramètre est donné deux fois.');
    // PostgreSQL holds no NUL in a text: whatever the field, nothing of ours has one.
    if (value.includes('\u0000')) throw refuse(name, 'Ce paramètre contient un caractère nul.');
    Object.defineProperty(result, name, { value, enumerable: true });
  }
  return result;
}
