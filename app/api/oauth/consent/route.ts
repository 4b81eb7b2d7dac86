export { consentDoor as POST } from '#lib/http/callers/with-consent.ts';
