export { authorizeDoor as GET } from '#lib/http/callers/with-consent.ts';
