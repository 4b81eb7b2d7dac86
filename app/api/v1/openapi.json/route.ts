import { contextApiDocument } from '#app/api/_documents/context-api.ts';
import { openApiRoute } from '#lib/http/openapi/openapi-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = openApiRoute(
  'readContextApiDocument',
  contextApiDocument,
);
