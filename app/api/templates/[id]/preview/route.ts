import { z } from 'zod';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readJson } from '#lib/http/requests/read-body.ts';
import { validate } from '#lib/http/requests/validate.ts';
import { pngAnswer } from '#lib/http/responses/png-answer.ts';
import { drawPreview } from '#lib/studio/templates/preview/draw-preview.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

/** Room for photographs that the browser has made smaller. */
const MAX_BODY = 3 * 1024 * 1024;

const body = z.strictObject({
  fields: z.record(z.string(), z.unknown()),
  size: z.string().max(20),
  productId: z.string().max(60),
  page: z.number().int().min(0).max(50).optional(),
});

/** The PNG that a render of this form would give, smaller; nothing is kept or debited. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  POST: withMember({
    permission: 'generate',
    async handle(ctx, { path, request }) {
      const { page, ...asked } = validate(body, await readJson(request, MAX_BODY, 'invalid'), 'invalid');
      const input = { templateId: path.id ?? '', ...asked, ...(page === undefined ? {} : { page }) };
      return pngAnswer(await drawPreview(ctx, input, request.signal), 'private, no-store');
    },
  }),
});
