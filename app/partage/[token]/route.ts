import { showShare } from '#lib/http/middleware/with-share.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({ GET: showShare });

export { DELETE, GET, GET as HEAD, OPTIONS, PATCH, POST, PUT };
