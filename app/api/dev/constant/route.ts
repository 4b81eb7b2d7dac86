import { z } from 'zod';
import { env } from '#lib/core/env.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { declared } from '#lib/http/routes/declaration.ts';

export const dynamic = 'force-dynamic';

/** What a route costs that does nothing, not even what our wrappers do: the bench measures every other one beside it. Absent in production. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: declared(
    {
      id: 'readConstant',
      summary: 'Une réponse qui ne fait rien',
      tag: 'Développement',
      caller: { kind: 'anyone' },
      dialect: 'studio',
      commonErrors: [],
      answers: {
        200: { description: 'Toujours la même', schema: z.object({ object: z.literal('constant') }) },
      },
    },
    async () => {
      if (env().isProduction) return new Response(null, { status: 404 });
      return Response.json({ object: 'constant' });
    },
  ),
});
