import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Product } from '#lib/products/types.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, readGeneration } from '../generation/generation.ts';
import { VIDEO_DEADLINE_MS } from '../limits.ts';
import { ignoredLayersOf } from '../prompt/server-layers.ts';
import { findOwnFiles } from '../references/find-files.ts';
import { otherProduct, readReferences } from '../references/read-references.ts';
import { signReference } from '../references/sign-reference.ts';
import { keepRequest, refuseInvalid } from './checks.ts';
import { providerFailure } from './failures.ts';
import type { PrepareKind } from './kind.ts';
import { videoWebhookUrl } from './webhook-url.ts';

const UNKNOWN_DURATION =
  'La durée de cette voix n’est pas connue, et le prix en dépend\u00a0: refaites la voix, puis choisissez-la.';

const tooLong = (audioMs: number, mostSeconds: number) => ({
  field: 'voiceGenerationId',
  message: `Cette voix dure ${Math.ceil(audioMs / 1_000)}\u00a0s et le service n’en accepte que ${mostSeconds}\u00a0s\u00a0: rien n’a été débité. Choisissez-en une plus courte.`,
});

/** A clip or a character that says a voice of the journal; billed per second of the voice, and per frame beyond those that the rate is of. */
export const prepareLipsync: PrepareKind<'lipsync'> = async (ctx, request, product) => {
  const detail = request.clip !== undefined ? 'clip' : 'character';
  if ((request.clip === undefined) === (request.character === undefined))
    refuseInvalid(detail, [
      { field: detail, message: 'Donnez un clip ou un personnage, et un seul des deux.' },
    ]);
  const caseId = request.clip !== undefined ? 'lipsync' : 'lipsync-character';
  if (request.case !== undefined && request.case !== caseId)
    refuseInvalid(detail, [
      {
        field: 'case',
        message:
          'La synchronisation labiale demande un clip (`lipsync`) ou un personnage (`lipsync-character`).',
      },
    ]);
  const model = modelFor(caseId);
  const { voice, audio } = await findVoice(ctx, product, request.voiceGenerationId);
  const rule = model.references?.clip;
  const [visual] = await readReferences(ctx, product, [
    {
      ref: request.clip ?? request.character ?? '',
      as: request.clip !== undefined ? 'clip' : 'image',
      minMs: rule?.minMs,
      maxMs: rule?.maxMs,
    },
  ]);
  if (!visual) throw new ServiceError('invalid', { detail });
  const audioMs = voice.params.voiceMs || audio.durationMs;
  if (!audioMs)
    throw new ServiceError('invalid', {
      detail: 'voiceGenerationId',
      message: UNKNOWN_DURATION,
      problems: [{ field: 'voiceGenerationId', message: UNKNOWN_DURATION }],
    });
  const { voiceSeconds: mostSeconds = Number.POSITIVE_INFINITY } = model.limits;
  refuseInvalid('voiceGenerationId', audioMs > mostSeconds * 1_000 ? [tooLong(audioMs, mostSeconds)] : []);
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
      roles: request.clip === undefined ? { character: [visual.file] } : { clips: [visual.file] },
    },
    estimateMicros: estimateMicros(caseId, quantities),
    async start(row) {
      const { store, config } = ctx.studio;
      const { publicUrl } = config;
      if (!store) throw new ServiceError('not_configured');
      // The provider may fetch its inputs as long as the reserve lives.
      const expiresAt = new Date(ctx.clock.now().getTime() + VIDEO_DEADLINE_MS);
      const [visualUrl, audioUrl] = await Promise.all([
        signReference(ctx, row, visual, expiresAt),
        store.sign(audio.pathname, { expiresAt }),
      ]);
      const started = await ctx.studio.providers.lipsync.start(
        {
          case: caseId,
          visual: { kind: 'url', url: visualUrl, mediaType: visual.contentType },
          audio: { kind: 'url', url: audioUrl, mediaType: audio.contentType },
          audioMs,
          ...(publicUrl?.startsWith('https://') ? { callbackUrl: videoWebhookUrl(publicUrl, row) } : {}),
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
    },
  };
};

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
