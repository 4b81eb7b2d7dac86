import { createHash } from 'node:crypto';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import { generation as sentences } from '#lib/messages/studio.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { headAll } from '#lib/storage/head-all.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { probeImageFile } from '#lib/storage/media/probe.ts';
import { readProvenance } from '#lib/storage/media/provenance/provenance.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Outcome } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { MAX_RENDER_FILES } from '../limits.ts';
import { MAX_RENDER_FILE_BYTES } from '../renders/render-job.ts';
import { parseRenderFields } from '../templates/fields.ts';
import { findSize, findTemplate, renderFileNames } from '../templates/registry.ts';
import { requestedCost } from './requested-cost.ts';

/** A file as the runner reports it: compared with the stored bytes. */
type ReportedFile = {
  pathname: string;
  sha256?: string | undefined;
  bytes?: number | undefined;
  contentType?: string | undefined;
};

/** The report of a verified callback. Its manifest is only a claim: the store's listing is authoritative. */
export type RenderReport = {
  generationId: string;
  runId: string;
  status: 'success' | 'failure';
  files: ReportedFile[];
  durationMs: number;
  errorCode?: string;
};

const RENDERED_TYPE = 'image/png';
const MINUTE_MS = 60_000;

/**
 * The outcome of a row from its run's report: the files in the row's folder, at the actual begun minutes; or a failure when the run failed,
 * published nothing or outside its folder, or when the files are not those requested (name, size) and reported. Throws when the store does.
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
  const listed = await publishedFiles(store, folder, report.files);
  if (listed.length === 0) return failed(sentences.renderEmpty, 'published nothing');
  if (listed.length > MAX_RENDER_FILES) return failed(sentences.renderOutside, 'published too many files');
  const names = new Set(listed.map(({ pathname }) => pathname));
  if (report.files.length === 0 || report.files.some(({ pathname }) => !names.has(pathname)))
    return failed(sentences.renderEmpty, 'manifest names a file that is not there');
  const asked = askedFiles(row);
  const strange = listed.find(
    ({ pathname }) => asked && !asked.names.includes(pathname.slice(folder.length)),
  );
  if (strange) return failed(sentences.renderDiffers, 'published a file that was not asked');
  if (asked && listed.length < asked.names.length)
    return failed(sentences.renderDiffers, `published ${listed.length} files of ${asked.names.length}`);
  const stored: Artifact[] = [];
  for (const { pathname, etag } of listed) {
    if (!liesIn(folder, pathname)) return failed(sentences.renderOutside, 'published outside its folder');
    const image = await readImage(store, pathname, row.accountId);
    if (!image) return failed(sentences.unusableFile, 'published a file that is no image');
    const difference = differenceOf(
      image,
      asked,
      report.files.filter((file) => file.pathname === pathname),
    );
    if (difference) return failed(sentences.renderDiffers, difference);
    const { sha256: _digest, ...measures } = image;
    stored.push({ pathname, etag, ...measures });
  }
  const runMinutes = begunMinutes(row, report, now);
  return {
    result: 'delivered',
    files: [],
    stored,
    cost: { formulaMicros: requestedCost(row, { runMs: runMinutes * MINUTE_MS }, 'render') },
    facts: { runMinutes, workflowRunId: report.runId },
  };
}

/** What lies in the folder. A list may be late: of what the run reports and it does not show, the store is asked. */
async function publishedFiles(
  store: FileStore,
  folder: string,
  reported: readonly ReportedFile[],
): Promise<{ pathname: string; etag: string }[]> {
  const { files } = await store.list({ prefix: folder, limit: MAX_RENDER_FILES + 1 });
  const shown = new Set(files.map(({ pathname }) => pathname));
  const late = new Set(reported.map(({ pathname }) => pathname).filter((pathname) => !shown.has(pathname)));
  return [...files, ...(await headAll(store, [...late])).values()];
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

type StoredImage = Omit<Artifact, 'pathname' | 'etag'> & { width: number; height: number; sha256: string };
type Asked = { names: string[]; width: number; height: number };

/** The files that the row's request gives, in pixels; null when its template or its fields are no longer known. */
function askedFiles(row: Generation): Asked | null {
  const template = findTemplate(row.params.template ?? '');
  const size = template && findSize(template, row.params.size ?? '');
  const given = row.params.request?.fields;
  if (!template || !size || typeof given !== 'object' || given === null) return null;
  try {
    const fields = parseRenderFields(template.id, given as Record<string, unknown>);
    return { names: renderFileNames(template, fields, size), width: size.width, height: size.height };
  } catch {
    return null;
  }
}

/** How a stored image differs from what was requested or reported; null when it does not. */
function differenceOf(image: StoredImage, asked: Asked | null, said: ReportedFile[]): string | null {
  if (asked && image.contentType !== RENDERED_TYPE) return `published ${image.contentType}`;
  if (asked && (image.width !== asked.width || image.height !== asked.height))
    return `published ${image.width} × ${image.height} pixels`;
  for (const { sha256, bytes, contentType } of said) {
    if (bytes !== undefined && bytes !== image.bytes) return 'manifest says another size in bytes';
    if (sha256 !== undefined && sha256 !== image.sha256) return 'manifest says another digest';
    if (contentType !== undefined && contentType !== image.contentType) return 'manifest says another type';
  }
  return null;
}

async function readImage(store: FileStore, pathname: string, owner: string): Promise<StoredImage | null> {
  try {
    const read = await store.read(pathname, { maxBytes: MAX_RENDER_FILE_BYTES });
    if (!read) return null;
    const { contentType, bytes, width, height } = await probeImageFile(read.bytes, {
      maxBytes: MAX_RENDER_FILE_BYTES,
      owner,
    });
    const sha256 = createHash('sha256').update(read.bytes).digest('hex');
    const provenance = readProvenance(read.bytes, contentType);
    return { contentType, bytes, width, height, sha256, provenance };
  } catch (error) {
    if (error instanceof MediaRefusal || error instanceof TooManyBytes) return null;
    throw error;
  }
}

/** The reported duration of the run, at most the time elapsed here since its launch; at least one minute. */
function begunMinutes(row: Generation, report: RenderReport, now: Date): number {
  const sinceLaunchMs = Math.max(0, now.getTime() - (row.startedAt ?? row.createdAt).getTime());
  const saidMs = Number.isFinite(report.durationMs) ? Math.max(0, report.durationMs) : sinceLaunchMs;
  return Math.max(1, Math.ceil(Math.min(saidMs, sinceLaunchMs) / MINUTE_MS));
}
