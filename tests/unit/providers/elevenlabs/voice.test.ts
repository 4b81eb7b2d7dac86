import { describe, expect, test, vi } from 'vitest';
import { json, liveProviders, ours, SECRETS, scriptedNetwork, silence } from '../calls.ts';

describe('requests to the other services', () => {
  test('ElevenLabs: text to speech', async () => {
    expect(
      await ours((p) =>
        p.voice.synthesize({
          voiceId: 'a/../b',
          text: 'Bonjour',
          stability: 0.4,
          speed: 1.1,
        }),
      ),
    ).toEqual({
      method: 'POST',
      url: 'https://api.elevenlabs.io/v1/text-to-speech/a%2F..%2Fb/with-timestamps?output_format=mp3_44100_128',
      headers: {
        'xi-api-key': SECRETS.elevenlabs,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: {
        text: 'Bonjour',
        model_id: 'eleven_multilingual_v2',
        voice_settings: { stability: 0.4, speed: 1.1 },
      },
    });
  });

  test('ElevenLabs: every page of the library is read, and a runaway one ends, which says that there is more', async () => {
    const voice = { voice_id: 'v1', name: 'Une', category: 'premade' };
    const pageAfter = (token: string) => json({ voices: [voice], has_more: true, next_page_token: token });
    const endless = scriptedNetwork(...Array.from({ length: 12 }, (_, page) => pageAfter(`n&${page + 1}`)));
    const list = await liveProviders(endless.fetch).voice.listVoices();
    expect(list).toMatchObject({ outcome: 'success', hasMore: true });
    expect(endless.sent).toHaveLength(10);
    expect(endless.sent[1]?.url).toBe(
      'https://api.elevenlabs.io/v2/voices?page_size=100&next_page_token=n%261',
    );
  });

  test('ElevenLabs: a page that is answered twice lists nobody twice, and one that follows itself is the last', async () => {
    const voices = ['v1', 'v2', 'v1'].map((id) => ({ voice_id: id, name: id, category: 'premade' }));
    const same = scriptedNetwork(json({ voices, has_more: true, next_page_token: 'n' }));
    const list = await liveProviders(same.fetch).voice.listVoices();
    expect(list).toMatchObject({ outcome: 'success', voices: [{ id: 'v1' }, { id: 'v2' }] });
    expect(list).not.toHaveProperty('hasMore');
    expect(same.sent).toHaveLength(2);
  });

  test('ElevenLabs: all pages of the library share the time of one list', async () => {
    vi.useFakeTimers();
    try {
      const page = json({ voices: [], has_more: true, next_page_token: 'n' });
      const slow = () => new Promise<Response>((answer) => setTimeout(() => answer(page()), 900));
      const network = scriptedNetwork(slow, silence);
      let told: unknown;
      const listed = liveProviders(network.fetch).voice.listVoices({ timeoutMs: 1_000 });
      void listed.then((list) => {
        told = list;
      });
      await vi.advanceTimersByTimeAsync(900);
      while (network.sent.length < 2) await vi.advanceTimersByTimeAsync(0);
      expect(told).toBeUndefined();
      await vi.advanceTimersByTimeAsync(100);
      expect(told).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('ElevenLabs: a voice of another shape is left out and counted; a list of nothing else is unreadable', async () => {
    const voice = { voice_id: 'v1', name: 'Une', category: 'premade' };
    const odd = [{ voice_id: 'v2', name: 7 }, null];
    const listed = (voices: unknown[]) =>
      liveProviders(scriptedNetwork(json({ voices, has_more: false })).fetch).voice.listVoices();
    expect(await listed([odd[0], voice, odd[1]])).toMatchObject({
      outcome: 'success',
      voices: [{ id: 'v1', name: 'Une' }],
      unreadable: 2,
    });
    expect(await listed(odd)).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
    expect(await listed([])).toEqual({ outcome: 'success', voices: [] });
    const unnamed = scriptedNetwork(json({ voices: [voice], has_more: true }));
    expect(await liveProviders(unnamed.fetch).voice.listVoices()).toMatchObject({ hasMore: true });
  });
});

describe('what a 2xx answer is worth', () => {
  test.each([
    [0, 600],
    [500, 1_100],
    [null, 600],
  ])('the characters left of a voice account count its extension of %j credits', async (extension, left) => {
    const subscription = {
      character_count: 400,
      character_limit: 1_000,
      max_credit_limit_extension: extension,
    };
    const { voice } = liveProviders(scriptedNetwork(json(subscription)).fetch);
    expect(await voice.quota()).toMatchObject({ quota: { used: 400, remaining: left } });
  });

  test('a voice account without a cap goes on beyond its limit, and is told so', async () => {
    const told = { character_count: 1_200, character_limit: 1_000, max_credit_limit_extension: 'unlimited' };
    const quota = async (answer: object) => {
      const { voice } = liveProviders(scriptedNetwork(json(answer)).fetch);
      const result = await voice.quota();
      return 'quota' in result ? result.quota : result;
    };
    const capped = { used: 1_200, limit: 1_000, remaining: 0, resetsAt: null };
    expect(await quota(told)).toEqual({ ...capped, isUncapped: true });
    for (const other of [0, null, 'many', undefined])
      expect(await quota({ ...told, max_credit_limit_extension: other })).toEqual(capped);
  });

  const say = (headers: Record<string, string>) => {
    const audio = () => Response.json({ audio_base64: 'c29u' }, { headers });
    return liveProviders(scriptedNetwork(audio).fetch).voice.synthesize({ voiceId: 'v1', text: 'Bonjour' });
  };

  test.each([
    [{ 'character-cost': '42' }, 42],
    [{ 'character-cost': '0' }, 0],
    [{}, undefined],
    [{ 'character-cost': '' }, undefined],
    [{ 'character-cost': '4.5' }, undefined],
    [{ 'character-cost': '-3' }, undefined],
    [{ 'character-cost': '0x10' }, undefined],
    [{ 'character-cost': 'douze' }, undefined],
  ])('ElevenLabs: with %j, the characters that it counted are %s', async (headers, counted) => {
    const result = await say(headers as Record<string, string>);
    expect(result.outcome).toBe('success');
    expect('billedCharacters' in result ? result.billedCharacters : undefined).toBe(counted);
  });

  test('a reading’s times, which come in seconds, are told in milliseconds', async () => {
    const { voice } = liveProviders(
      scriptedNetwork(
        json({
          audio_base64: 'AAAA',
          alignment: {
            characters: ['O', 'h'],
            character_start_times_seconds: [0, 0.25],
            character_end_times_seconds: [0.25, 1.5],
          },
        }),
      ).fetch,
    );
    expect(await voice.synthesize({ voiceId: 'v1', text: 'Oh' })).toMatchObject({
      alignment: { characters: ['O', 'h'], startsMs: [0, 250], endsMs: [250, 1_500] },
    });
  });
});
