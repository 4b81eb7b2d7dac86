export { consentDoor as POST } from '#lib/http/middleware/with-consent.ts';
