import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#lib/core/clock.ts';
import type { VoiceProvider } from '#lib/providers/ports-voice.ts';
import { readJson, writeFileAtomic } from './files.ts';
import { withLock } from './lock.ts';

/** Characters that one call may say. */
const PIECE_CHARACTERS = 2_500;

/** Why a script was not said, or not to its end: a sentence in French for whoever typed the command. */
export class VoiceRefusal extends Error {}

type Usage = { month: string; characters: number };

/**
 * Cuts a script where a speaker breathes: paragraphs first, then sentences, then words; a word longer than `most` (2 or more) between two
 * characters. Nothing is lost but the space between.
 */
export function cutScript(text: string, most = PIECE_CHARACTERS): string[] {
  const pieces: string[] = [];
  for (const paragraph of text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)) {
    let rest = paragraph;
    while (rest.length > most) {
      const window = rest.slice(0, most);
      const sentence = Math.max(...['. ', '! ', '? ', '… '].map((end) => window.lastIndexOf(end) + 1));
      const space = window.lastIndexOf(' ');
      const word = space > 0 ? space : betweenCharacters(rest, most);
      const at = sentence > most / 3 ? sentence : word;
      pieces.push(rest.slice(0, at).trim());
      rest = rest.slice(at).trim();
    }
    pieces.push(rest);
  }
  return pieces;
}

/** `at`, or the place before it where that would cut a character of two units in half. */
function betweenCharacters(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/**
 * Says a script, one file per piece, under the pipeline's own monthly cap: the web's ledger neither reads nor pays it, and the
 * provider's account quota stays what it is (S-165). The cap is claimed before each call and given back
 * when the provider surely did not speak. Throws VoiceRefusal; files already written stay, and a second run says only what is missing.
 */
export async function sayScript(
  deps: { voice: VoiceProvider; clock: Clock; dataDir: string },
  input: {
    text: string;
    voiceId: string;
    folder: string;
    monthlyCharacters: number;
    say?: (line: string) => void;
  },
): Promise<{ files: string[]; characters: number; monthCharacters: number }> {
  const pieces = cutScript(input.text);
  if (pieces.length === 0) throw new VoiceRefusal('Le script est vide\u00a0: rien n’a été dit.');
  await mkdir(input.folder, { recursive: true });
  const files: string[] = [];
  let characters = 0;
  let monthCharacters = (await readUsage(deps)).characters;
  for (const [index, text] of pieces.entries()) {
    const manifest = path.join(input.folder, `${number(index)}.json`);
    const before = await readJson<{ text: string; voiceId: string; file: string }>(manifest);
    const isSame = before?.text === text && before.voiceId === input.voiceId;
    // Its sound may have been deleted since.
    if (isSame && (await isFilled(path.join(input.folder, before.file)))) {
      files.push(path.join(input.folder, before.file));
      continue;
    }
    monthCharacters = await claim(deps, text.length, input.monthlyCharacters);
    const result = await deps.voice.synthesize({ voiceId: input.voiceId, text });
    if (result.outcome !== 'success') {
      if (result.retrySafe !== 'unknown') await claim(deps, -text.length, Number.POSITIVE_INFINITY);
      throw new VoiceRefusal(
        `Le fournisseur n’a pas livré le morceau ${index + 1} sur ${pieces.length} (${result.reason}).`,
      );
    }
    const file = `${number(index)}.${result.mediaType === 'audio/wav' ? 'wav' : 'mp3'}`;
    await writeFileAtomic(path.join(input.folder, file), result.bytes);
    await writeFileAtomic(manifest, `${JSON.stringify({ text, voiceId: input.voiceId, file })}\n`);
    files.push(path.join(input.folder, file));
    characters += text.length;
    input.say?.(`${index + 1}/${pieces.length}  ${file}  caractères\u00a0: ${text.length}`);
  }
  return { files, characters, monthCharacters };
}

const number = (index: number) => String(index + 1).padStart(3, '0');

async function isFilled(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && found.isFile() && found.size > 0;
}

function usageFile(dataDir: string): string {
  return path.join(dataDir, 'voice-usage.json');
}

async function readUsage(deps: { clock: Clock; dataDir: string }): Promise<Usage> {
  const month = deps.clock.now().toISOString().slice(0, 7);
  const usage = await readJson<Usage>(usageFile(deps.dataDir));
  return usage?.month === month ? usage : { month, characters: 0 };
}

/** Adds to the month's characters unless the cap would be passed. Two pipelines at once share the cap exactly. */
async function claim(
  deps: { clock: Clock; dataDir: string },
  characters: number,
  most: number,
): Promise<number> {
  await mkdir(deps.dataDir, { recursive: true });
  return withLock(`${usageFile(deps.dataDir)}.lock`, async () => {
    const usage = await readUsage(deps);
    const next = Math.max(0, usage.characters + characters);
    if (characters > 0 && next > most)
      throw new VoiceRefusal(
        `Le plafond du mois serait dépassé. Caractères permis\u00a0: ${most.toLocaleString('fr-FR')}\u00a0; déjà dits\u00a0: ${usage.characters.toLocaleString('fr-FR')}\u00a0; de ce morceau\u00a0: ${characters.toLocaleString('fr-FR')}. Il n’a pas été envoyé.`,
      );
    await writeFileAtomic(
      usageFile(deps.dataDir),
      `${JSON.stringify({ month: usage.month, characters: next })}\n`,
    );
    return next;
  });
}
