import { beforeEach, describe, expect, test } from 'vitest';
import type { AccountActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { ProviderFailure, Voice, VoiceLibrary, VoiceQuota } from '#lib/providers/ports.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import {
  clearVoiceLibrary,
  type MissingPart,
  readVoiceDesk,
  type VoiceServing,
} from '#lib/studio/voices/voice-desk.ts';
import { readVoicePreview } from '#lib/studio/voices/voice-preview.ts';

const VOICE: Voice = {
  id: 'v1',
  name: 'Camille',
  origin: 'provider',
  consentNeeded: false,
  labels: {},
};
const QUOTA: VoiceQuota = { used: 3, limit: 10, remaining: 7, resetsAt: new Date('2026-12-01T00:00:00Z') };
const SERVED: VoiceServing = { served: true, apiKey: null };
const failure = (more: Partial<ProviderFailure> = {}): ProviderFailure => ({
  outcome: 'failed',
  reason: 'timeout',
  retrySafe: 'unknown',
  detail: 'simulated',
  attempts: 1,
  elapsedMs: 1,
  ...more,
});

type Answers = { voices?: Voice[] | VoiceLibrary | ProviderFailure; quota?: VoiceQuota | ProviderFailure };

/** A desk whose provider gives the current `answers`. */
function scene(role: 'FOUNDER' | 'MEMBER' = 'FOUNDER') {
  const clock = manualClock('2026-11-10T08:00:00Z');
  const answers: Answers = {};
  const asked = { lists: 0, quotas: 0 };
  const voice = {
    listVoices: async () => {
      asked.lists += 1;
      const voices = answers.voices ?? [VOICE];
      return 'outcome' in voices ? voices : { outcome: 'success', voices };
    },
    quota: async () => {
      asked.quotas += 1;
      const quota = answers.quota ?? QUOTA;
      return 'outcome' in quota ? quota : { outcome: 'success', quota };
    },
  };
  const ports = {
    config: { defaultVoiceId: 'v1' as string | null },
    store: {} as object | null,
    providers: { voice, modes: { elevenlabs: 'recorded' } },
    fetch: async () => ({ bytes: new Uint8Array([1]), contentType: 'audio/mpeg' }),
  };
  const ctx = { actor: { role }, clock, studio: ports } as unknown as StudioContext<AccountActor>;
  return {
    clock,
    answers,
    asked,
    ports,
    read: (serving = SERVED) => readVoiceDesk(ctx, serving),
    hear: (voiceId: string, serving = SERVED) => readVoicePreview(ctx, serving, voiceId),
  };
}

beforeEach(clearVoiceLibrary);

describe('what is missing', () => {
  const table: [MissingPart, VoiceServing, (ports: ReturnType<typeof scene>['ports']) => void][] = [
    ['providers', { served: false, apiKey: null }, () => {}],
    ['voice-key', { served: true, apiKey: undefined }, () => {}],
    ['voice-key', { served: true, apiKey: '' }, () => {}],
    ['voice-key', { served: true, apiKey: 'key_sk_' }, () => {}],
    [
      'default-voice',
      SERVED,
      (ports) => {
        ports.config.defaultVoiceId = null;
      },
    ],
    [
      'file-store',
      SERVED,
      (ports) => {
        ports.store = null;
      },
    ],
  ];
  test.each(table)(
    '%s is told alone, by name to a founder, with %o, and nothing is asked of the provider',
    async (part, serving, remove) => {
      const { ports, asked, read } = scene();
      remove(ports);
      expect(await read(serving)).toEqual({
        ready: false,
        missing: [part],
        defaultVoiceId: part === 'default-voice' ? null : 'v1',
        voices: [],
        quota: null,
      });
      expect(asked).toEqual({ lists: 0, quotas: 0 });
    },
  );

  test('all four are told together, in one order', async () => {
    const { ports, read } = scene();
    ports.config.defaultVoiceId = null;
    ports.store = null;
    expect((await read({ served: false, apiKey: undefined })).missing).toEqual([
      'providers',
      'voice-key',
      'default-voice',
      'file-store',
    ]);
  });

  test('a member reads one sentence that names no part', async () => {
    const { ports, read } = scene('MEMBER');
    ports.store = null;
    expect((await read()).missing).toBe(
      'La voix n’est pas encore réglée sur ce service\u00a0: demandez à un fondateur de le faire.',
    );
  });

  test('a key of the provider’s shape is all that is looked at', async () => {
    const desk = await scene().read({ served: true, apiKey: 'sk_1' });
    expect(desk.ready).toBe(true);
    expect(desk).not.toHaveProperty('missing');
  });
});

test('an account that goes on beyond its limit is told as such', async () => {
  const { answers, read } = scene();
  answers.quota = { used: 12, limit: 10, remaining: 0, isUncapped: true, resetsAt: null };
  expect((await read()).quota).toEqual(answers.quota);
});

describe('the library', () => {
  test('comes with the quota, and says nothing of errors', async () => {
    expect(await scene().read()).toEqual({
      ready: true,
      defaultVoiceId: 'v1',
      voices: [VOICE],
      quota: { used: 3, limit: 10, remaining: 7, resetsAt: '2026-12-01T00:00:00.000Z' },
    });
  });

  test('a quota without an end has none', async () => {
    const { answers, read } = scene();
    answers.quota = { ...QUOTA, resetsAt: null };
    expect((await read()).quota).toMatchObject({ resetsAt: null });
  });

  test('one that cannot be read is told with its reason, leaves the default voice, and is never kept', async () => {
    const { answers, asked, read } = scene();
    answers.voices = failure({ reason: 'unauthorized', status: 401 });
    const told = {
      ready: true,
      defaultVoiceId: 'v1',
      voices: [],
      listError: 'La liste des voix n’a pas pu être lue. La voix par défaut reste utilisable.',
    };
    expect(await read()).toMatchObject({ ...told, errorDetail: { list: 'unauthorized (HTTP 401)' } });
    answers.voices = failure();
    expect(await read()).toMatchObject({ ...told, errorDetail: { list: 'timeout' } });
    delete answers.voices;
    expect(await read()).toMatchObject({ voices: [VOICE] });
    expect(asked.lists).toBe(3);
  });

  test('says how many voices are left out, and gives the others', async () => {
    const { answers, read } = scene();
    answers.voices = { outcome: 'success', voices: [VOICE], unreadable: 1 };
    const one = await read();
    expect(one).toMatchObject({
      voices: [VOICE],
      listError: 'Une voix n’a pas pu être lue\u00a0: elle manque à la liste. Les autres sont utilisables.',
    });
    expect(one).not.toHaveProperty('errorDetail');
    clearVoiceLibrary();
    answers.voices = { outcome: 'success', voices: [VOICE], unreadable: 3 };
    expect((await read()).listError).toContain('3 voix n’ont pas pu être lues');
  });

  test('says where the list ends when the provider has more voices than are read, and what is left out before', async () => {
    const { answers, read } = scene();
    const more = 'La liste s’arrête à 1 voix, et le compte du fournisseur en a d’autres.';
    answers.voices = { outcome: 'success', voices: [VOICE], hasMore: true };
    expect(await read()).toMatchObject({ voices: [VOICE], listError: more });
    clearVoiceLibrary();
    answers.voices = { outcome: 'success', voices: [VOICE], unreadable: 2, hasMore: true };
    expect((await read()).listError).toMatch(
      /^2 voix n’ont pas pu être lues.* utilisables\. La liste s’arrête/,
    );
  });

  test('a quota that cannot be read is told, beside the library', async () => {
    const { answers, read } = scene();
    answers.quota = failure();
    expect(await read()).toMatchObject({
      voices: [VOICE],
      quota: null,
      quotaError: 'Le quota du compte de voix n’a pas pu être lu.',
    });
  });

  test('is kept ten minutes to the millisecond, for one mode; the quota is read at each call', async () => {
    const { clock, asked, ports, read } = scene();
    await read();
    clock.advance(10 * 60_000 - 1);
    expect((await read()).voices).toEqual([VOICE]);
    expect(asked).toEqual({ lists: 1, quotas: 2 });
    clock.advance(1);
    await read();
    expect(asked.lists).toBe(2);
    ports.providers.modes.elevenlabs = 'live';
    await read();
    expect(asked.lists).toBe(3);
    clearVoiceLibrary();
    await read();
    expect(asked.lists).toBe(4);
  });
});

describe('a voice that is heard before it is used', () => {
  const HEARD = { ...VOICE, previewUrl: 'https://storage.googleapis.com/extracts/v1.mp3' };

  test('asks for no quota, and waits for none', async () => {
    const { answers, asked, hear } = scene();
    answers.voices = [HEARD];
    expect(await hear('v1')).toEqual({ bytes: new Uint8Array([1]), contentType: 'audio/mpeg' });
    await hear('v1');
    expect(asked).toEqual({ lists: 1, quotas: 0 });
  });

  test('is read from the hosts of its provider alone, as a sound of 2 MB at most, within ten seconds', async () => {
    const { answers, ports, hear } = scene();
    answers.voices = [HEARD];
    const reads: unknown[] = [];
    const { fetch } = ports;
    ports.fetch = async (...asked: unknown[]) => {
      reads.push(asked);
      return fetch();
    };
    await hear('v1');
    const hosts = ['storage.googleapis.com', 'api.elevenlabs.io', 'api.us.elevenlabs.io'];
    expect(reads).toEqual([
      [
        HEARD.previewUrl,
        {
          policy: { hosts: [...hosts, 'static-assets.elevenlabs.io'] },
          maxBytes: 2 * 1024 * 1024,
          timeoutMs: 10_000,
          accept: ['audio/*'],
        },
      ],
    ]);
  });

  test('is not found when no library has it, or none can be read here', async () => {
    const { answers, asked, hear } = scene();
    answers.voices = [HEARD];
    await expect(hear('v2')).rejects.toMatchObject({ code: 'not_found' });
    await expect(hear('v1', { served: false, apiKey: null })).rejects.toMatchObject({ code: 'not_found' });
    clearVoiceLibrary();
    answers.voices = failure();
    await expect(hear('v1')).rejects.toMatchObject({ code: 'not_found' });
    expect(asked.quotas).toBe(0);
  });
});
