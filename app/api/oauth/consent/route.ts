import { answerConsent } from '#lib/http/middleware/with-consent.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({ POST: answerConsent });
