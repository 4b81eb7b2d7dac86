import type { AccountActor } from '#lib/core/actor.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { foldAccents } from '#lib/core/text/fold.ts';
import { parisDay } from '#lib/core/text/paris-day.ts';
import { endOfZip, writeStream, writeText, type ZipSink } from '#lib/core/zip/zip.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import { MAX_CHOSEN, MAX_ZIPPED } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';

/** What the files of one zip may weigh together. */
const MAX_BYTES = 1_073_741_824;
const MEBIBYTE = 1_048_576;
const NAME = 48;

type ZippedFile = { pathname: string; position: number; createdAt: Date; brief: string | null; name: string };

/**
 * The files that are left of some rows of the journal as one zip, made while it is read: no file is ever held whole. A file that the store
 * does not give is named in `A-LIRE.txt`. Rows of another account hold nothing. Errors: `not_found` when no file is left,
 * `invalid` (`ids`) when they are more than `MAX_ZIPPED` or weigh more than 1 GiB; `forbidden`, also before each file that follows, by the
 * rights of that moment.
 */
export async function zipGenerations(
  ctx: FilesContext<AccountActor>,
  input: { generationIds: readonly string[]; signal?: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  requireGenerate(ctx);
  requireStore(ctx);
  const rows = await ctx.kysely
    .selectFrom('Asset as f')
    .innerJoin('Generation as g', 'g.id', 'f.generationId')
    .select((eb) => [
      'f.pathname',
      'f.position',
      'f.bytes',
      'f.createdAt',
      eb
        .ref('g.params', '->>')
        .key('brief' as never)
        .$castTo<string | null>()
        .as('brief'),
    ])
    .where('f.accountId', '=', ctx.actor.accountId)
    .where('g.accountId', '=', ctx.actor.accountId)
    .where(isAnyOf('f.generationId', input.generationIds.slice(0, MAX_CHOSEN)))
    .where('f.deletedAt', 'is', null)
    .where('f.expiringAt', 'is', null)
    .where('f.imported', '=', false)
    .orderBy('f.createdAt')
    .orderBy('f.id')
    .limit(MAX_ZIPPED + 1)
    .execute();
  if (rows.length === 0) throw new ServiceError('not_found', { message: sentences.zipEmpty });
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  // Refused, never cut: a zip without some of the files would pass for all of them.
  if (rows.length > MAX_ZIPPED) throw tooMuch(sentences.zipTooMany.replace('{most}', String(MAX_ZIPPED)));
  if (bytes > MAX_BYTES)
    throw tooMuch(
      sentences.zipTooLarge
        .replace('{size}', Math.ceil(bytes / MEBIBYTE).toLocaleString('fr-FR'))
        .replace('{most}', (MAX_BYTES / MEBIBYTE).toLocaleString('fr-FR')),
    );
  return onceRead(() => zipOf(ctx, named(rows), input.signal));
}

const tooMuch = (message: string) =>
  new ServiceError('invalid', { detail: 'ids', problems: [{ field: 'ids', message }] });

/** A stream that calls `make` when its first bytes are read: a HEAD request opens no file of the store. */
function onceRead(make: () => ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= make().getReader();
        const next = await reader.read();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function zipOf(
  ctx: FilesContext<AccountActor>,
  files: readonly ZippedFile[],
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const sink: ZipSink = {
    bytes: 0,
    async write(chunk) {
      this.bytes += chunk.byteLength;
      await writer.write(chunk);
    },
  };
  writeZip(ctx, sink, files, signal)
    .then(() => writer.close())
    .catch(async (error: unknown) => {
      ctx.log.warn('files.zip_stopped', faultFields(error));
      await writer.abort(error).catch(() => {});
    });
  return readable;
}

async function writeZip(
  ctx: FilesContext<AccountActor>,
  sink: ZipSink,
  files: readonly ZippedFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const store = requireStore(ctx);
  const records: Buffer[] = [];
  const missing: string[] = [];
  for (const [index, file] of files.entries()) {
    // A gibibyte takes a while: who was removed meanwhile gets no other file.
    if (index > 0) requireGenerate(await withCurrentRights(ctx));
    const opened = await store.open(file.pathname, signal ? { signal } : {});
    if (opened) records.push(await writeStream(sink, file.name, opened.stream, file.createdAt));
    else missing.push(file.name);
  }
  if (missing.length > 0)
    records.push(
      await writeText(
        sink,
        'A-LIRE.txt',
        `${sentences.zipMissing}\n\n${missing.join('\n')}\n`,
        ctx.clock.now(),
      ),
    );
  const offset = sink.bytes;
  for (const record of records) await sink.write(record);
  await sink.write(endOfZip({ entries: records.length, bytes: sink.bytes - offset, offset }));
}

/** Each file by its day and what was asked, numbered: names that any system takes, no two alike. */
function named(rows: readonly Omit<ZippedFile, 'name'>[]): ZippedFile[] {
  return rows.map((row, index) => {
    const words = foldAccents(row.brief ?? '')
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, NAME)
      .replace(/^-+|-+$/g, '');
    const extension = /\.[a-z0-9]{1,5}$/i.exec(row.pathname)?.[0] ?? '';
    const day = parisDay(row.createdAt);
    const number = String(index + 1).padStart(3, '0');
    return { ...row, name: [number, day, words].filter(Boolean).join('-') + extension };
  });
}
