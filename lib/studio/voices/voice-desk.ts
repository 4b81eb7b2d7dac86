import type { AccountActor } from '#lib/core/actor.ts';
import type { ProviderFailure, Voice, VoiceLibrary } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';

/** What can be missing before a voice can be read here. */
export type MissingPart = 'providers' | 'voice-key' | 'default-voice' | 'file-store';

export type VoiceDesk = {
  ready: boolean;
  /** The parts by name for a founder, one sentence for a member; absent when nothing is missing. */
  missing?: MissingPart[] | string;
  defaultVoiceId: string | null;
  voices: Voice[];
  listError?: string;
  errorDetail?: { list: string };
  quota: {
    used: number;
    limit: number;
    remaining: number;
    /** What goes beyond the limit is taken too, billed apart by the provider. */
    isUncapped?: true;
    resetsAt: string | null;
  } | null;
  quotaError?: string;
};

/** How this process serves voices, as its route knows it. */
export type VoiceServing = {
  /** Live, or recorded outside production. */
  served: boolean;
  /** The key, only to look at its shape; null when the service is recorded and needs none. */
  apiKey: string | undefined | null;
};

const CACHE_MS = 10 * 60_000;
let cached: { mode: string; until: number; library: VoiceLibrary } | undefined;

/**
 * The voice composer's desk: what is missing, the library (kept 10 minutes in this process, a failure never), the default voice
 * (usable even when the library cannot be read) and the provider's character quota, read at each call.
 */
export async function readVoiceDesk(
  ctx: StudioContext<AccountActor>,
  serving: VoiceServing,
): Promise<VoiceDesk> {
  const missing = missingParts(ctx, serving);
  const { defaultVoiceId } = ctx.studio.config;
  if (missing.length > 0)
    return {
      ready: false,
      missing:
        ctx.actor.role === 'FOUNDER'
          ? missing
          : 'La voix n’est pas encore réglée sur ce service\u00a0: demandez à un fondateur de le faire.',
      defaultVoiceId,
      voices: [],
      quota: null,
    };
  const [list, quota] = await Promise.all([readLibrary(ctx), ctx.studio.providers.voice.quota()]);
  return {
    ready: true,
    defaultVoiceId,
    voices: 'voices' in list ? list.voices : [],
    ...('voices' in list
      ? leftOut(list)
      : {
          listError: 'La liste des voix n’a pas pu être lue. La voix par défaut reste utilisable.',
          errorDetail: { list: reasonOf(list) },
        }),
    quota:
      quota.outcome === 'failed'
        ? null
        : { ...quota.quota, resetsAt: quota.quota.resetsAt?.toISOString() ?? null },
    ...(quota.outcome === 'failed' ? { quotaError: 'Le quota du compte de voix n’a pas pu être lu.' } : {}),
  };
}

/** One voice of the desk, by the library alone: no quota is asked for it. Undefined when it is not there, or nothing can be read here. */
export async function findDeskVoice(
  ctx: StudioContext<AccountActor>,
  serving: VoiceServing,
  voiceId: string,
): Promise<Voice | undefined> {
  if (missingParts(ctx, serving).length > 0) return undefined;
  const list = await readLibrary(ctx);
  return 'voices' in list ? list.voices.find(({ id }) => id === voiceId) : undefined;
}

/** The desk's message when the provider lists voices in an unreadable shape, or more of them than are read. */
function leftOut({ unreadable = 0, hasMore, voices }: VoiceLibrary): { listError?: string } {
  const unread =
    unreadable === 1
      ? 'Une voix n’a pas pu être lue\u00a0: elle manque à la liste. Les autres sont utilisables.'
      : `${unreadable} voix n’ont pas pu être lues\u00a0: elles manquent à la liste. Les autres sont utilisables.`;
  const told = [
    ...(unreadable > 0 ? [unread] : []),
    ...(hasMore
      ? [
          `La liste s’arrête à ${voices.length.toLocaleString('fr-FR')} voix, et le compte du fournisseur en a d’autres.`,
        ]
      : []),
  ];
  return told.length > 0 ? { listError: told.join(' ') } : {};
}

function missingParts(ctx: StudioContext, serving: VoiceServing): MissingPart[] {
  const missing: MissingPart[] = [];
  if (!serving.served) missing.push('providers');
  if (serving.apiKey !== null && !serving.apiKey?.startsWith('sk_')) missing.push('voice-key');
  if (!ctx.studio.config.defaultVoiceId) missing.push('default-voice');
  if (!ctx.studio.store) missing.push('file-store');
  return missing;
}

async function readLibrary(ctx: StudioContext): Promise<VoiceLibrary | ProviderFailure> {
  const now = ctx.clock.now().getTime();
  const mode = ctx.studio.providers.modes.elevenlabs;
  if (cached && cached.mode === mode && now < cached.until) return cached.library;
  const list = await ctx.studio.providers.voice.listVoices();
  if (list.outcome === 'failed') return list;
  cached = { mode, until: now + CACHE_MS, library: list };
  return list;
}

/** Clears the library that this process keeps; for tests. */
export function clearVoiceLibrary(): void {
  cached = undefined;
}

const reasonOf = (failure: ProviderFailure) =>
  failure.status === undefined ? failure.reason : `${failure.reason} (HTTP ${failure.status})`;
