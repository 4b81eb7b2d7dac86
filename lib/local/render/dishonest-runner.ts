/** A runner that lies, for the scenarios `no-files` and `wrong-folder`: it holds the real secret and signs what is not true. */
import { readFile } from 'node:fs/promises';
import { put } from '@vercel/blob/client';
import { createId } from '#lib/core/ids.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import { type RenderCallback, type RenderedFile, readRenderInputs } from '#lib/studio/renders/render-job.ts';
import { signCallback, splitSecrets } from '#lib/studio/renders/render-signature.ts';

const event = JSON.parse(await readFile(process.env.GITHUB_EVENT_PATH ?? '', 'utf8')) as { inputs: unknown };
const job = readRenderInputs(event.inputs);
const runId = process.env.GITHUB_RUN_ID ?? '';
const files: RenderedFile[] = [];

if (process.env.RENDER_SCENARIO === 'wrong-folder') {
  const pathname = `${generationFolder(createId('generation'))}stolen.png`;
  const bytes = Buffer.from('89504e470d0a1a0a', 'hex');
  const token = Object.values(job.uploads)[0] ?? '';
  if (job.storeApiUrl) process.env.VERCEL_BLOB_API_URL = job.storeApiUrl;
  process.env.VERCEL_BLOB_RETRIES = '0';
  try {
    await put(pathname, bytes, { access: 'private', token, contentType: 'image/png' });
    console.log(JSON.stringify({ event: 'rogue.uploaded-outside' }));
  } catch (error) {
    console.log(
      JSON.stringify({ event: 'rogue.upload-refused', error: error instanceof Error ? error.message : '' }),
    );
  }
  files.push({ pathname, bytes: bytes.length, contentType: 'image/png', sha256: '0'.repeat(64) });
}

const sentAt = new Date();
const callback: RenderCallback = {
  type: 'render.finished',
  generationId: job.generationId,
  runId,
  status: 'success',
  files,
  startedAt: sentAt.toISOString(),
  finishedAt: sentAt.toISOString(),
  durationMs: 0,
};
const body = JSON.stringify(callback);
const secret = splitSecrets(process.env.CALLBACK_SECRET)[0] ?? '';
const response = await fetch(job.callbackUrl, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    ...signCallback(body, { id: `msg_render_${runId}_1`, secret, sentAt }),
  },
  body,
});
console.log(JSON.stringify({ event: 'callback.answered', status: response.status }));
process.exitCode = response.ok ? 0 : 3;
