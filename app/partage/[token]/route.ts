import { shareRoute, showShare } from '#lib/http/middleware/with-share.ts';

const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = shareRoute(showShare);

export { DELETE, GET, GET as HEAD, OPTIONS, PATCH, POST, PUT };
