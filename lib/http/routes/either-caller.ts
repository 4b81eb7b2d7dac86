import { z } from 'zod';
import { utf8Json } from '#lib/core/text/utf8.ts';
import { readBytes } from '../requests/read-body.ts';
import { type AnswerDeclaration, type DeclaredHandler, declared } from './declaration.ts';

/**
 * One address for two kinds of caller, told apart by body or headers, as the store's SDK requires. `choose` receives `null` for a body that is
 * not JSON. The declaration covers both.
 */
export function eitherCaller(
  route: { id: string; summary: string; description: string; maxBytes: number },
  choose: (body: unknown, request: Request) => DeclaredHandler,
  handlers: readonly [DeclaredHandler, DeclaredHandler],
): DeclaredHandler {
  const { maxBytes, ...words } = route;
  const all = handlers.map((handler) => handler.declaration);
  const [first] = all as [(typeof all)[number]];
  return declared(
    {
      ...first,
      ...words,
      caller: { kind: 'either', callers: all.map(({ caller }) => caller) },
      body: { type: 'json', maxBytes, schema: anyOf(all.map(({ body }) => body?.schema)) },
      answers: merged(all.map(({ answers }) => answers)),
      errors: [...new Set(all.flatMap(({ errors, commonErrors }) => [...(errors ?? []), ...commonErrors]))],
    },
    async (request, context) => {
      // A body too long for either caller goes, like one that is not JSON, to the caller whose signature is verified.
      const bytes = await readBytes(request, maxBytes).catch(() => new Uint8Array());
      const { url, method, headers, signal } = request;
      const again = new Request(url, { method, headers, signal, body: bytes as BodyInit });
      return choose(parsed(bytes), again)(again, context);
    },
  );
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return utf8Json(bytes);
  } catch {
    return null;
  }
}

const anyOf = (schemas: readonly (z.ZodType | undefined)[]) =>
  z.union(schemas.filter((schema) => schema !== undefined) as [z.ZodType, z.ZodType]);

function merged(answers: readonly Readonly<Record<number, AnswerDeclaration>>[]) {
  const result: Record<number, AnswerDeclaration> = {};
  for (const [status, answer] of answers.flatMap((one) => Object.entries(one))) {
    const known = result[Number(status)];
    result[Number(status)] = known
      ? {
          description: `${known.description}. ${answer.description}`,
          schema: anyOf([known.schema, answer.schema]),
        }
      : answer;
  }
  return result;
}
