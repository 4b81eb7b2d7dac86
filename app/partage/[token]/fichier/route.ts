import { readSharedFile, shareRoute } from '#lib/http/middleware/with-share.ts';

export const maxDuration = 300;

const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = shareRoute(readSharedFile);

export { DELETE, GET, GET as HEAD, OPTIONS, PATCH, POST, PUT };
