import { authorize, consentPath } from '#lib/http/middleware/with-consent.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = consentPath({ GET: authorize });
