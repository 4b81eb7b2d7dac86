import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { cutScript, sayScript, VoiceRefusal } from '#lib/local/voice-pipeline.ts';
import { RECORDED_DEFAULT_VOICE_ID as voiceId } from '#lib/providers/elevenlabs/recorded-answers.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'atelier-voice-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const TEXT = 'Nous éclairons sans éblouir.\n\nUne lampe se répare. Elle se garde.';

function setting(name: string, scenario?: 'provider-error' | 'refused-not-sent') {
  const clock = manualClock('2026-11-21T10:00:00Z');
  const { voice } = createProviders({
    live: new Set(),
    clock,
    secrets: {},
    ...(scenario ? { fixtures: { scenario } } : {}),
  });
  const deps = { voice, clock, dataDir: path.join(root, name) };
  return {
    deps,
    clock,
    input: { text: TEXT, voiceId, folder: path.join(root, name, 'voix'), monthlyCharacters: 1_000 },
  };
}

describe('the command-line voice pipeline', () => {
  test('says each paragraph into a decodable file, and a second run says only what changed', async () => {
    const { deps, input } = setting('deux');
    const first = await sayScript(deps, input);
    expect(first.files.map((file) => path.basename(file))).toEqual(['001.mp3', '002.mp3']);
    expect((await readFile(first.files[0] ?? '')).length).toBeGreaterThan(1_000);
    const again = await sayScript(deps, { ...input, text: `${TEXT} Longtemps.` });
    expect([again.files.length, again.characters]).toEqual([
      2,
      'Une lampe se répare. Elle se garde. Longtemps.'.length,
    ]);
  });

  test('a second run says again a piece whose sound was deleted, and that one alone', async () => {
    const { deps, input } = setting('efface');
    const first = await sayScript(deps, input);
    await rm(first.files[0] ?? '');
    const again = await sayScript(deps, input);
    expect([again.files, again.characters]).toEqual([first.files, 'Nous éclairons sans éblouir.'.length]);
    expect((await readFile(first.files[0] ?? '')).length).toBeGreaterThan(1_000);
  });

  test('its own monthly cap stops before the call, and opens again with the next month', async () => {
    const { deps, input, clock } = setting('plafond');
    const tight = { ...input, monthlyCharacters: 30 };
    await expect(sayScript(deps, tight)).rejects.toThrow(VoiceRefusal);
    expect(JSON.parse(await readFile(path.join(deps.dataDir, 'voice-usage.json'), 'utf8'))).toEqual({
      month: '2026-11',
      characters: 28,
    });
    clock.set('2026-12-01T00:00:00Z');
    await expect(sayScript(deps, { ...tight, monthlyCharacters: 40 })).resolves.toMatchObject({
      monthCharacters: 35,
    });
  });

  test('its monthly characters are read by the command line alone: nothing of the web knows their file or variable', () => {
    const knowing = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: repositoryRoot }).filter((file) =>
      /VOICE_MONTHLY_CHARACTERS|voice-usage\.json|voice-pipeline/.test(
        readFileSync(path.join(repositoryRoot, file), 'utf8'),
      ),
    );
    // Declared among the variables, and read by the pipeline.
    expect(knowing.sort()).toEqual(['lib/core/env.ts', 'lib/local/voice-pipeline.ts']);
  });

  test('two pipelines at once share the cap exactly', async () => {
    const { deps, input } = setting('ensemble');
    const runs = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) =>
        sayScript(deps, {
          ...input,
          text: 'x'.repeat(100),
          monthlyCharacters: 350,
          folder: `${input.folder}-${i}`,
        }),
      ),
    );
    expect(runs.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  test('what the provider surely did not say is given back to the month; what it may have said is not', async () => {
    const spoken = async (name: string, scenario: 'provider-error' | 'refused-not-sent') => {
      const { deps, input } = setting(name, scenario);
      await expect(sayScript(deps, input)).rejects.toThrow('n’a pas livré le morceau 1 sur 2');
      return JSON.parse(await readFile(path.join(deps.dataDir, 'voice-usage.json'), 'utf8')).characters;
    };
    expect(await spoken('panne', 'provider-error')).toBe(28);
    expect(await spoken('refus', 'refused-not-sent')).toBe(0);
  });

  test('a text without a space is cut between two characters, never inside one', () => {
    const text = `a${'💡'.repeat(5)}`;
    const pieces = cutScript(text, 4);
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
    expect(pieces.map(({ length }) => length)).toEqual([3, 4, 4]);
    expect(pieces.join('')).toBe(text);
  });

  test('a script is cut without losing a word, and no piece is too long', () => {
    fc.assert(
      fc.property(
        fc.array(fc.lorem({ maxCount: 40, mode: 'sentences' }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 60, max: 400 }),
        (paragraphs, most) => {
          const text = paragraphs.join('\n\n');
          const pieces = cutScript(text, most);
          expect(pieces.every((piece) => piece.length <= most && piece.length > 0)).toBe(true);
          expect(pieces.join(' ').split(/\s+/)).toEqual(text.split(/\s+/).filter(Boolean));
        },
      ),
    );
  });
});
