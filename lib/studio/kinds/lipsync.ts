import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Product } from '#lib/products/types.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import type { Failed, Submission } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { VIDEO_DEADLINE_MS } from '../limits.ts';
import { ignoredLayersOf } from '../prompt/server-layers.ts';
import { findOwnFiles } from '../references/find-files.ts';
import {
  otherProduct,
  type ReadReference,
  readReferences,
  type WantedReference,
} from '../references/read-references.ts';
import { signReference } from '../references/sign-reference.ts';
import type { RequestOf } from '../request.ts';
import { keepRequest, refuseInvalid } from './checks.ts';
import { providerFailure } from './failures.ts';
import type { PrepareKind } from './kind.ts';
import { videoCallback } from './webhook-url.ts';

const UNKNOWN_DURATION =
  'La durée de cette voix n’est pas connue, et le prix en dépend\u00a0: refaites la voix, puis choisissez-la.';

const tooLong = (audioMs: number, mostSeconds: number) => ({
  field: 'voiceGenerationId',
  message: `Cette voix dure ${Math.ceil(audioMs / 1_000)}\u00a0s et le service n’en accepte que ${mostSeconds}\u00a0s\u00a0: rien n’a été débité. Choisissez-en une plus courte.`,
});

/** A clip or a character that says a voice of the journal; billed per second of the voice, and per frame beyond those that the rate is of. */
export const prepareLipsync: PrepareKind<'lipsync'> = async (ctx, request, product) => {
  const { caseId, field, as, ref } = chosenVisual(request);
  const model = modelFor(caseId);
  const { voice, audio } = await findVoice(ctx, product, request.voiceGenerationId);
  const rule = model.references?.clip;
  const [visual] = await readReferences(ctx, product, [{ ref, as, minMs: rule?.minMs, maxMs: rule?.maxMs }]);
  if (!visual) throw new ServiceError('invalid', { detail: field });
  const audioMs = knownDuration(voice.params.voiceMs || audio.durationMs, model.limits.voiceSeconds);
  const { framesPerSecond } = visual;
  const quantities = { outputMs: audioMs, ...(framesPerSecond === undefined ? {} : { framesPerSecond }) };
  return {
    kind: 'LIPSYNC',
    assetType: 'VIDEO',
    provider: model.service,
    modelId: model.modelId,
    params: {
      ...(voice.params.brief ? { brief: voice.params.brief } : {}),
      case: caseId,
      skills: [],
      ignoredLayers: ignoredLayersOf(request),
      engine: model.service,
      pricing: pricingRecord(caseId, quantities),
      mode: ctx.studio.providers.modes.lipsync,
      voiceMs: audioMs,
      ...(voice.params.alignment ? { alignment: voice.params.alignment } : {}),
      webhook: false,
      request: keepRequest(request),
    },
    references: {
      voiceGenerationId: voice.id,
      roles: as === 'clip' ? { clips: [visual.file] } : { character: [visual.file] },
    },
    estimateMicros: estimateMicros(caseId, quantities),
    start: (row) => startLipsync(ctx, row, { case: caseId, visual, audio, audioMs }),
  };
};

/** What is to say the voice: a clip or a character, exactly one of them, which decides the case. Throws `invalid` otherwise. */
function chosenVisual(request: RequestOf<'lipsync'>) {
  const isClip = request.clip !== undefined;
  const as: WantedReference['as'] = isClip ? 'clip' : 'image';
  const field = isClip ? 'clip' : 'character';
  const caseId = isClip ? 'lipsync' : 'lipsync-character';
  if (isClip === (request.character !== undefined))
    refuseInvalid(field, [{ field, message: 'Donnez un clip ou un personnage, et un seul des deux.' }]);
  if (request.case !== undefined && request.case !== caseId)
    refuseInvalid(field, [
      {
        field: 'case',
        message:
          'La synchronisation labiale demande un clip (`lipsync`) ou un personnage (`lipsync-character`).',
      },
    ]);
  return { caseId, field, as, ref: request.clip ?? request.character ?? '' };
}

/** The duration of the voice, which the price depends on. Throws `invalid` when it is not known, or longer than the service takes. */
function knownDuration(audioMs = 0, mostSeconds = Number.POSITIVE_INFINITY): number {
  const field = 'voiceGenerationId';
  refuseInvalid(field, audioMs === 0 ? [{ field, message: UNKNOWN_DURATION }] : []);
  refuseInvalid(field, audioMs > mostSeconds * 1_000 ? [tooLong(audioMs, mostSeconds)] : []);
  return audioMs;
}

/** Starts the job at the provider, which may fetch the visual and the voice as long as the reserve lives. */
async function startLipsync(
  ctx: StudioContext,
  row: Generation,
  job: { case: string; visual: ReadReference; audio: Artifact; audioMs: number },
): Promise<{ result: 'started'; submission: Submission } | Failed> {
  const { visual, audio, audioMs } = job;
  const { store, config } = ctx.studio;
  if (!store) throw new ServiceError('not_configured');
  const expiresAt = new Date(ctx.clock.now().getTime() + VIDEO_DEADLINE_MS);
  const [visualUrl, audioUrl] = await Promise.all([
    signReference(ctx, row, visual, expiresAt),
    store.sign(audio.pathname, { expiresAt }),
  ]);
  const started = await ctx.studio.providers.lipsync.start(
    {
      case: job.case,
      visual: { kind: 'url', url: visualUrl, mediaType: visual.contentType },
      audio: { kind: 'url', url: audioUrl, mediaType: audio.contentType },
      audioMs,
      ...videoCallback(config, row),
    },
    { idempotencyKey: row.id },
  );
  if (started.outcome === 'failed') return providerFailure(started);
  return {
    result: 'started',
    submission: {
      providerOperation: JSON.stringify(started.operation),
      providerJobId: started.jobId,
      modelId: started.modelId,
      facts: { webhook: started.webhook },
    },
  };
}

const findVoiceRow = prepared('studio.voice_row', (db, p: Params<{ id: string; accountId: string }>) =>
  db
    .selectFrom('Generation')
    .select(GENERATION_COLUMNS)
    .where('id', '=', p.id)
    .where('accountId', '=', p.accountId)
    .where('kind', '=', 'VOICE')
    .where('filesDeletedAt', 'is', null),
);

const NO_VOICE = 'Cette voix n’existe pas dans le journal, ou n’a plus de fichier.';

/** The voice to say and its file, touched as any reference is: no night takes it before the row that names it is there. */
async function findVoice(ctx: StudioContext<AccountActor>, product: Product, id: string) {
  const found = await findVoiceRow.first(ctx.kysely, { id, accountId: ctx.actor.accountId });
  const voice = found ? readGeneration(found) : null;
  const audio = voice?.artifacts[0];
  if (!voice || !audio) throw unusableVoice(NO_VOICE);
  const foreign = otherProduct(ctx, product, voice);
  if (foreign) throw unusableVoice(foreign);
  const [file] = await findOwnFiles(ctx, { ids: [], pathnames: [audio.pathname] });
  if (!file) throw unusableVoice(NO_VOICE);
  return { voice, audio };
}

const unusableVoice = (message: string) =>
  new ServiceError('invalid', {
    detail: 'voiceGenerationId',
    problems: [{ field: 'voiceGenerationId', message }],
  });
