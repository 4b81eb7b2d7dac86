import { studioApiDocument } from '#app/api/_documents/studio-api.ts';
import { openApiRoute } from '#lib/http/openapi/openapi-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = openApiRoute(
  'readStudioApiDocument',
  studioApiDocument,
);
