import { spaceJson } from '#lib/brain/export/json.ts';
import { spaceMarkdownZip } from '#lib/brain/export/markdown.ts';
import { spacePath } from '#lib/brain/schemas/fields.ts';
import { exportQuery } from '#lib/brain/schemas/spaces.ts';
import { exportSpace } from '#lib/brain/spaces/export-space.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { byteStream } from '#lib/http/responses/byte-stream.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'exportSpace',
      summary: 'Exporter un espace',
      description: 'En JSON, ou en Markdown dans un zip\u00a0: l’un et l’autre se réimportent à l’identique.',
      tag: 'Exports',
      dialect: 'brain',
      path: spacePath,
      query: exportQuery,
      answers: { 200: { description: 'Le fichier', contentType: 'application/json, application/zip' } },
      errors: ['not_found'],
    },
    async (ctx, { path, query }) => {
      const exported = await exportSpace(ctx, { spaceId: path.id });
      const { name } = exported.space;
      return query.format === 'json'
        ? attachment(byteStream(spaceJson(exported)), `${name}.json`, 'application/json; charset=utf-8')
        : attachment(byteStream(spaceMarkdownZip(exported)), `${name}.zip`, 'application/zip');
    },
  ),
});
