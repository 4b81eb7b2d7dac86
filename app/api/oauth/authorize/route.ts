export { authorizeDoor as GET } from '#lib/http/middleware/with-consent.ts';
