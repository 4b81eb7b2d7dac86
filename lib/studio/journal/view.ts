import type { z } from 'zod';
import { type Reader, readsBrain } from '#lib/core/actor.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import { reaches } from '#lib/db/space-rights.ts';
import { FAILURE_SENTENCES, generation as sentences } from '#lib/messages/studio.ts';
import type { Generation } from '../generation/generation.ts';
import type { Params } from '../generation/params.ts';
import { displayedStatus, shownCode } from '../generation/status.ts';
import { type DisplayedStatus, STATUS_LABELS } from '../generation/status-labels.ts';
import type { generationSchema } from '../schemas.ts';

/** A row as members see it: `GET /api/generations/<id>`. No secret, no operation, no technical error. */
export type GenerationView = z.infer<typeof generationSchema>;
export type FileView = GenerationView['files'][number];

/** The path that serves a stored file to the account's members. */
export function fileUrl(pathname: string): string {
  return `/api/files/${pathname.split('/').map(encodeURIComponent).join('/')}`;
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The params shown to a reader: without the name of a Space that they may not read, by their Spaces or scopes, nor the prompt that quotes it. */
function shownParams(
  { request: _, alignment: __, ...params }: Params,
  reader: Reader,
): GenerationView['params'] {
  const { spaceId, prompt: _prompt, ...rest } = params;
  return spaceId === undefined || (readsBrain(reader) && reaches(reader, spaceId)) ? params : rest;
}

/** Since when each file that is gone is, by its pathname. */
type GoneFiles = ReadonlyMap<string, Date | null>;

/** Pure: the row, the clock, what its reader may read of the Brain, and which of its files are gone (`viewRows` asks). */
export function viewGeneration(
  row: Generation,
  now: Date,
  reader: Reader,
  goneAt: GoneFiles,
): GenerationView {
  const facts = { ...row, files: row.artifacts.length };
  const status = displayedStatus(facts, now);
  const code = row.state === 'CANCELLED' ? row.code : shownCode(facts, now);
  return {
    id: row.id,
    status,
    label: STATUS_LABELS[status],
    kind: row.kind,
    assetType: row.assetType,
    case: row.params.case ?? null,
    productId: row.productId,
    memberId: row.memberId,
    code,
    message: messageOf(row, status, code),
    params: shownParams(row.params, reader),
    references: row.references,
    provider: row.provider,
    modelId: row.modelId,
    providerJobId: row.providerJobId,
    gatewayGenerationId: row.gatewayGenerationId,
    chargePending: row.chargePending,
    heldUsd: usdFromMicros(row.heldMicros),
    costUsd: row.costMicros === null ? null : usdFromMicros(row.costMicros),
    charge: chargeOf(row),
    captions: row.state === 'COMPLETED' && row.params.alignment ? captionUrls(row.id) : null,
    files: row.filesDeletedAt ? [] : row.artifacts.map((file) => viewFile(file, goneAt)),
    createdAt: row.createdAt.toISOString(),
    startedAt: iso(row.startedAt),
    submittedAt: iso(row.submittedAt),
    closedAt: iso(row.closedAt),
    closedBy: row.closedBy,
    filesDeletedAt: iso(row.filesDeletedAt),
    relaunchOfId: row.relaunchOfId,
    ancestorId: row.ancestorId,
    canRelaunch: canRelaunch(row),
    pollUrl: `/api/generations/${row.id}`,
    traceId: row.traceId,
  };
}

function captionUrls(id: string): NonNullable<GenerationView['captions']> {
  const url = `/api/generations/${id}/captions?format=`;
  return { srt: `${url}srt`, vtt: `${url}vtt` };
}

function viewFile(file: Generation['artifacts'][number], goneAt: GoneFiles): FileView {
  return {
    url: fileUrl(file.pathname),
    pathname: file.pathname,
    contentType: file.contentType,
    bytes: file.bytes,
    width: file.width ?? null,
    height: file.height ?? null,
    durationMs: file.durationMs ?? null,
    provenance: file.provenance ?? null,
    deletedAt: iso(goneAt.get(file.pathname) ?? null),
  };
}

/** Sentences for rows that are past their deadline and not yet closed: the amount is still held. */
const NOT_CLOSED_YET: Partial<Record<string, string>> = {
  video_timeout: sentences.videoLate,
  'no-callback': sentences.renderLate,
};

function messageOf(row: Generation, status: DisplayedStatus, code: string | null): string | null {
  if (row.message) return row.message;
  if (row.chargePending) return sentences.chargePending;
  if (code && isOpenState(row.state)) return NOT_CLOSED_YET[code] ?? null;
  if (code && Object.hasOwn(FAILURE_SENTENCES, code))
    return FAILURE_SENTENCES[code as keyof typeof FAILURE_SENTENCES];
  return status === 'done' && row.params.endFrameDropped ? sentences.endFrameDropped : null;
}

function chargeOf(row: Generation): GenerationView['charge'] {
  if (isOpenState(row.state)) return 'open';
  if (row.state === 'CANCELLED') return 'none';
  if (row.state === 'FAILED') return 'refunded';
  return row.costMicros === null ? 'none' : 'settled';
}

/** A render that failed, ran out of quota or never answered can be started again. */
export function canRelaunch(row: Pick<Generation, 'kind' | 'state'>): boolean {
  return row.kind === 'RENDER' && row.state === 'FAILED';
}
