import { answerConsent, consentPath } from '#lib/http/middleware/with-consent.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = consentPath({ POST: answerConsent });
