import { apiPath } from '#lib/http/routes/api-path.ts';
import { declared } from '#lib/http/routes/declaration.ts';
import { healthAnswer, healthSchema } from '#lib/http/runtime/health.ts';

export const dynamic = 'force-dynamic';

/** Not even what our wrappers need is asked for: a broken configuration answers, too. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: declared(
    {
      id: 'readHealth',
      summary: 'Ce dont cette instance dépend répond-il',
      tag: 'Exploitation',
      caller: { kind: 'anyone' },
      dialect: 'studio',
      commonErrors: [],
      answers: {
        200: { description: 'Tout répond', schema: healthSchema },
        503: { description: 'Quelque chose ne répond pas', schema: healthSchema },
      },
    },
    () => healthAnswer(),
  ),
});
