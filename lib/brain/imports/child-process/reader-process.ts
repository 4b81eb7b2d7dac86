// Entry of the process that `readUploadInChild` and `readPageInChild` start: a `ReaderJob` on the first line of its input, then the bytes.
import { buffer } from 'node:stream/consumers';
import { isPillarRole } from '../../templates.ts';
import type { Refusal, UploadedFile } from '../parse/types.ts';
import { MAX_FORM_FILES, type ReaderJob, type ReaderLine } from './protocol.ts';

// Pipes are written at once: what was begun is known even of a file that is never finished.
const say = (line: ReaderLine) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const input = await buffer(process.stdin);
const feed = input.indexOf('\n');
const job = JSON.parse(input.subarray(0, feed).toString()) as ReaderJob;
const bytes = input.subarray(feed + 1);
await (job.kind === 'upload' ? readForm(job) : readPage(job));
say({ done: true });

async function readPage(page: ReaderJob & { kind: 'page' }): Promise<void> {
  const { parsePage } = await import('../parse/page.ts');
  const read = await parsePage({ ...page, bytes }, page.pillar);
  if (!read.ok) return say({ failed: read.reason });
  for (const draft of read.drafts) say({ draft });
}

async function readForm(upload: ReaderJob & { kind: 'upload' }): Promise<void> {
  const { readUpload } = await import('../documents/upload.ts');
  const form = await formOf(upload.contentType);
  if (!form) return say({ failed: 'Cet envoi n’a pas pu être lu.' });
  if (form.files.length > MAX_FORM_FILES)
    return say({
      failed: `L’envoi dépasse ${MAX_FORM_FILES.toLocaleString('fr-FR')} fichiers\u00a0: mettez-les dans une archive zip.`,
    });
  say({ form: { files: form.files.length, first: form.files[0]?.name ?? '' } });
  const { drafts, refused } = await readUpload(form.files, {
    pillar: isPillarRole(form.pillar) ? form.pillar : 'KNOWLEDGE',
    skipped: new Map(upload.skipped.map(({ path, reason }: Refusal) => [path, reason])),
    withoutPdf: upload.withoutPdf,
    begin: (path) => say({ begin: path }),
  });
  for (const refusal of refused) say({ refused: refusal });
  for (const draft of drafts) say({ draft });
}

/** The files of a multipart form, with their paths in the folder that they came with, and the pillar that it names. */
async function formOf(contentType: string): Promise<{ files: UploadedFile[]; pillar: unknown } | null> {
  const headers = { 'content-type': contentType };
  const form = await new Response(bytes, { headers }).formData().catch(() => null);
  if (!form) return null;
  const files: UploadedFile[] = [];
  for (const [, value] of form)
    if (typeof value !== 'string' && value.name !== '')
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
  return { files, pillar: form.get('pillar') };
}
