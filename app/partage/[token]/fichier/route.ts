import { readSharedFile } from '#lib/http/middleware/with-share.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const maxDuration = 300;

const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({ GET: readSharedFile });

export { DELETE, GET, GET as HEAD, OPTIONS, PATCH, POST, PUT };
