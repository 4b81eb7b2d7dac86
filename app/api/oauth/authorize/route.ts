export { authorizeDoor as GET } from '#lib/http/with-consent.ts';
