import { env } from '#lib/core/env.ts';

export const dynamic = 'force-dynamic';

/** What a route costs that does nothing: the bench measures every other one beside it. Absent in production. */
export function GET(): Response {
  if (env().isProduction) return new Response(null, { status: 404 });
  return Response.json({ object: 'constant' });
}
