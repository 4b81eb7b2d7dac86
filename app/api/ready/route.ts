import { apiPath } from '#lib/http/routes/api-path.ts';
import { declared } from '#lib/http/routes/declaration.ts';
import { readyAnswer, readySchema } from '#lib/http/runtime/health.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: declared(
    {
      id: 'readReadiness',
      summary: 'Cette instance peut-elle recevoir des demandes',
      tag: 'Exploitation',
      caller: { kind: 'anyone' },
      dialect: 'studio',
      commonErrors: [],
      answers: {
        200: { description: 'Oui', schema: readySchema },
        503: { description: 'Pas encore', schema: readySchema },
      },
    },
    () => readyAnswer(),
  ),
});
