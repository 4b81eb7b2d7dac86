export { consentDoor as POST } from '#lib/http/with-consent.ts';
