import { generation as sentences } from '#lib/messages/studio.ts';
import { formulaCostMicros } from '#lib/providers/models/pricing.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { probeImageFile } from '#lib/storage/media/probe.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Outcome } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { MAX_RENDER_FILES } from '../limits.ts';
import { MAX_RENDER_FILE_BYTES } from '../renders/render-job.ts';

/** What a verified callback says; its manifest is the runner's word, the store's listing is the fact. */
export type RenderReport = {
  generationId: string;
  runId: string;
  status: 'success' | 'failure';
  files: { pathname: string }[];
  durationMs: number;
  errorCode?: string;
};

const MINUTE_MS = 60_000;

/**
 * What a run's report makes of its row: the files that lie in the row's folder, at the real begun minutes; or a failure when the
 * run failed, published nothing, or named a file outside its folder. Throws when the store does.
 */
export async function renderOutcome(
  store: FileStore,
  row: Generation,
  report: RenderReport,
  now: Date,
): Promise<Outcome> {
  if (report.status === 'failure')
    return failed(sentences.renderFailed, `run failed: ${report.errorCode ?? 'unknown'}`);
  const folder = generationFolder(row.id);
  if (report.files.length > MAX_RENDER_FILES) return failed(sentences.renderOutside, 'manifest too long');
  if (report.files.some(({ pathname }) => !liesIn(folder, pathname)))
    return failed(sentences.renderOutside, 'published outside its folder');
  const { files: listed } = await store.list({ prefix: folder, limit: MAX_RENDER_FILES + 1 });
  if (listed.length === 0) return failed(sentences.renderEmpty, 'published nothing');
  if (listed.length > MAX_RENDER_FILES) return failed(sentences.renderOutside, 'published too many files');
  const names = new Set(listed.map(({ pathname }) => pathname));
  if (report.files.length === 0 || report.files.some(({ pathname }) => !names.has(pathname)))
    return failed(sentences.renderEmpty, 'manifest names a file that is not there');
  const stored: Artifact[] = [];
  for (const { pathname, etag } of listed) {
    if (!liesIn(folder, pathname)) return failed(sentences.renderOutside, 'published outside its folder');
    const image = await readImage(store, pathname);
    if (!image) return failed(sentences.unusableFile, 'published a file that is no image');
    stored.push({ pathname, etag, ...image });
  }
  const runMinutes = begunMinutes(row, report, now);
  return {
    result: 'delivered',
    files: [],
    stored,
    cost: { formulaMicros: formulaCostMicros('render', { runMs: runMinutes * MINUTE_MS }) },
    facts: { runMinutes, workflowRunId: report.runId },
  };
}

function failed(message: string, errorMessage: string): Failed {
  return { result: 'failed', code: 'provider-failure', message, errorMessage };
}

/** Directly in the folder, under a plain name: no dots, no encoding, no second folder. */
function liesIn(folder: string, pathname: string): boolean {
  return (
    pathname.startsWith(folder) &&
    /^[A-Za-z0-9][A-Za-z0-9_-]*\.[a-z0-9]{2,5}$/.test(pathname.slice(folder.length))
  );
}

async function readImage(
  store: FileStore,
  pathname: string,
): Promise<Omit<Artifact, 'pathname' | 'etag'> | null> {
  try {
    const read = await store.read(pathname, { maxBytes: MAX_RENDER_FILE_BYTES });
    if (!read) return null;
    const { contentType, bytes, width, height } = await probeImageFile(read.bytes, {
      maxBytes: MAX_RENDER_FILE_BYTES,
    });
    return { contentType, bytes, width, height };
  } catch (error) {
    if (error instanceof MediaRefusal || error instanceof RangeError) return null;
    throw error;
  }
}

/** What the run says it lasted, never more than what passed here since its launch; at least one minute. */
function begunMinutes(row: Generation, report: RenderReport, now: Date): number {
  const sinceLaunchMs = Math.max(0, now.getTime() - (row.startedAt ?? row.createdAt).getTime());
  const saidMs = Number.isFinite(report.durationMs) ? Math.max(0, report.durationMs) : sinceLaunchMs;
  return Math.max(1, Math.ceil(Math.min(saidMs, sinceLaunchMs) / MINUTE_MS));
}
