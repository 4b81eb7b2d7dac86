import { isDeepStrictEqual } from 'node:util';
import { errorSchema } from '#lib/http/responses/error-schema.ts';
import { type BoundDeclaration, declarationOf } from '#lib/http/routes/declaration.ts';
import { declaredErrors } from '#lib/http/routes/declared-errors.ts';

/** The successful statuses that each declared route answered, by the route's identifier. */
export const answered = new Map<string, Set<number>>();

/**
 * What is wrong with an answer, compared with the declaration of its route: an undeclared status or error code, a body that does not parse or has
 * undeclared fields, a missing header. Null if nothing is.
 */
export function undeclared(
  handler: unknown,
  answer: { status: number; headers: Headers; text: string },
): string | null {
  const declaration = declarationOf(handler);
  if (!declaration) return null;
  const { status, headers, text } = answer;
  const type = headers.get('content-type')?.split(';')[0] ?? null;
  const declared = declaration.answers[status];
  if (!declared) return faultOfRefusal(declaration, status, text);
  answered.set(declaration.id, (answered.get(declaration.id) ?? new Set()).add(status));
  const absent = Object.keys(declared.headers ?? {}).filter((name) => !headers.has(name));
  if (absent.length > 0) return `${declaration.id} ${status} lacks ${absent.join(', ')}`;
  if (declared.contentType) {
    const types = declared.contentType.split(', ');
    return types.includes('*/*') || types.includes(type ?? '')
      ? null
      : `${declaration.id} ${status} is ${type}`;
  }
  if (!declared.schema) return text === '' ? null : `${declaration.id} ${status} declares no body`;
  const json: unknown = JSON.parse(text);
  const parsed = declared.schema.safeParse(json);
  if (!parsed.success) return `${declaration.id} ${status}: ${parsed.error.message}`;
  return isDeepStrictEqual(parsed.data, json)
    ? null
    : `${declaration.id} ${status} answers more than it declares: ${text.slice(0, 2_000)} ≠ ${JSON.stringify(parsed.data).slice(0, 2_000)}`;
}

function faultOfRefusal(declaration: BoundDeclaration, status: number, text: string): string | null {
  const { id, dialect } = declaration;
  if (status < 400) return `${id} does not declare ${status}`;
  if (dialect === 'json-rpc') return null;
  if (dialect === 'page') return `${id} does not declare ${status}`;
  const json = JSON.parse(text) as { error?: unknown };
  if (dialect === 'oauth')
    return typeof json.error === 'string' ? null : `${id} ${status}: ${text.slice(0, 300)}`;
  const parsed = errorSchema.safeParse(json);
  if (!parsed.success || !isDeepStrictEqual(parsed.data, json))
    return `${id} ${status} is no refusal in the house shape: ${text.slice(0, 300)}`;
  const { code } = parsed.data.error;
  return (declaredErrors(declaration) as string[]).includes(code) ? null : `${id} does not declare ${code}`;
}
