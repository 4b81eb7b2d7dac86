import { z } from 'zod';
import { publicRoute } from '../middleware/public-route.ts';
import { apiPath } from '../routes/api-path.ts';
import { serviceOrigin } from '../security/origin.ts';

/** The handlers of an OpenAPI document's address; public, so that a program can be generated before it has a key. */
export function openApiRoute(id: string, document: (origin: string) => object) {
  return apiPath({
    GET: publicRoute(
      {
        id,
        summary: 'Le document OpenAPI',
        tag: 'Documents',
        dialect: 'brain',
        answers: {
          200: {
            description: 'OpenAPI 3.1',
            schema: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
          },
        },
      },
      async (_ctx, { request }) => ({
        body: document(serviceOrigin(request)),
        headers: { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' },
      }),
    ),
  });
}
