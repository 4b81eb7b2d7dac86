import { z } from 'zod';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readJson } from '#lib/http/requests/read-body.ts';
import { validate } from '#lib/http/requests/validate.ts';
import { checkTemplate } from '#lib/studio/templates/preview/check-template.ts';

export const dynamic = 'force-dynamic';

const body = z.strictObject({ fields: z.record(z.string(), z.unknown()), productId: z.string().max(60) });

/** What must be corrected before this form of a template can be rendered; nothing is kept or debited. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  POST: withMember({
    permission: 'generate',
    async handle(ctx, { path, request }) {
      const asked = validate(body, await readJson(request, 256 * 1024, 'invalid'), 'invalid');
      return { body: await checkTemplate(ctx, { templateId: path.id ?? '', ...asked }) };
    },
  }),
});
