import { createId } from '#lib/core/ids.ts';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { openApiDocument } from '#lib/http/responses/openapi.ts';
import { baseHeaders, jsonResponse } from '#lib/http/responses/respond.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';

export const dynamic = 'force-dynamic';

/** The API's document; public, so that a program can be generated before it has a key. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: async (request) => {
    const headers = baseHeaders(createId('request'));
    headers.set('Cache-Control', 'public, max-age=300');
    headers.set('Access-Control-Allow-Origin', '*');
    return jsonResponse(200, openApiDocument(serviceOrigin(request)), headers);
  },
});
