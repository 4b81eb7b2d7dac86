import { openApiDocument } from '#lib/http/openapi.ts';
import { serviceOrigin } from '#lib/http/origin.ts';

export const dynamic = 'force-dynamic';

/** The API's document; public, so that a program can be generated before it has a key. */
export function GET(request: Request): Response {
  return Response.json(openApiDocument(serviceOrigin(request)), {
    headers: {
      'Cache-Control': 'public, max-age=300',
      'Content-Language': 'fr',
      'Access-Control-Allow-Origin': '*',
    },
  });
}
