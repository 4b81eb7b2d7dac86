import { writeSpaceJson } from '#lib/brain/export/json.ts';
import { spaceMarkdownZip } from '#lib/brain/export/markdown.ts';
import { exportSpace } from '#lib/brain/spaces/export-space.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';

/** A Space to keep: `?format=json`, or `?format=markdown` for a zip. Either imports back identically. */
export const GET = withMember({
  async handle(ctx, { path, request }) {
    const format = new URL(request.url).searchParams.get('format');
    if (format !== 'json' && format !== 'markdown')
      throw new ServiceError('invalid', { message: 'Le format est json ou markdown.' });
    const exported = await exportSpace(ctx, { spaceId: path.id ?? '' });
    return format === 'json'
      ? attachment(writeSpaceJson(exported), `${exported.space.name}.json`, 'application/json; charset=utf-8')
      : attachment(spaceMarkdownZip(exported), `${exported.space.name}.zip`, 'application/zip');
  },
});
