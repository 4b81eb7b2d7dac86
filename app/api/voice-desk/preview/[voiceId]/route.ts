import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { voiceServing } from '#lib/http/runtime/voice-serving.ts';
import { readVoicePreview } from '#lib/studio/voices/voice-preview.ts';

export const dynamic = 'force-dynamic';

/** The extract of a voice of the library, heard from our own origin. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    permission: 'generate',
    async handle(ctx, { path, request }) {
      const { bytes, contentType } = await readVoicePreview(
        withStudio(ctx, request),
        voiceServing(),
        path.voiceId ?? '',
      );
      return new Response(bytes as BodyInit, {
        headers: {
          'Content-Type': contentType,
          'Content-Length': String(bytes.byteLength),
          'Cache-Control': 'private, max-age=600',
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'Cross-Origin-Resource-Policy': 'same-origin',
        },
      });
    },
  }),
});
