import './env-file.ts';

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { count, number } from '#app/_ui/format.ts';
import { systemClock } from '#lib/core/clock.ts';
import { ConfigurationError, type ProviderName, parseVoiceEnv } from '#lib/core/env.ts';
import { readOptions } from '#lib/local/options.ts';
import { dataFolder, typedPath } from '#lib/local/paths.ts';
import { serviceEnvOnThisMachine } from '#lib/local/services/open-services.ts';
import { sayScript, VoiceRefusal } from '#lib/local/voice-pipeline.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';

// npm run voice -- script.txt: says a script aloud, one file per paragraph. Exit codes: 0 said, 1 refused, 2 misused.
const USAGE =
  'npm run voice -- script.txt [--voice <identifiant>] [--out <dossier>] [--month <caractères par mois>] [--json]';
const { values, positionals } = readOptions(USAGE, {
  allowPositionals: true,
  options: {
    voice: { type: 'string' },
    out: { type: 'string' },
    month: { type: 'string' },
    json: { type: 'boolean' },
  },
});

async function main(): Promise<number> {
  const [script] = positionals;
  if (script === undefined) {
    console.error(`Usage\u00a0: ${USAGE}`);
    return 2;
  }
  const env = parseVoiceEnv({ ...process.env, SERVICE_ENV: serviceEnvOnThisMachine() });
  const isLive = env.liveProviders.has('elevenlabs');
  const voiceId = values.voice ?? env.ELEVENLABS_VOICE_ID ?? (isLive ? undefined : RECORDED_DEFAULT_VOICE_ID);
  const monthlyCharacters = Number(values.month ?? env.VOICE_MONTHLY_CHARACTERS);
  if (!voiceId) throw new VoiceRefusal('Donnez une voix\u00a0: --voice, ou ELEVENLABS_VOICE_ID.');
  if (!Number.isSafeInteger(monthlyCharacters) || monthlyCharacters < 1)
    throw new VoiceRefusal('Le plafond du mois est un nombre entier de caractères.');
  const text = await readScript(script);
  const { voice } = createProviders({
    live: new Set(isLive ? (['elevenlabs'] satisfies ProviderName[]) : []),
    clock: systemClock,
    secrets: { elevenlabs: env.ELEVENLABS_API_KEY },
  });
  const folder = typedPath(values.out ?? `${path.basename(script, path.extname(script))}-voix`);
  const say = values.json ? undefined : (line: string) => console.log(line);
  const result = await sayScript(
    { voice, clock: systemClock, dataDir: dataFolder() },
    { text, voiceId, folder, monthlyCharacters, ...(say ? { say } : {}) },
  );
  if (values.json)
    console.log(JSON.stringify({ ...result, monthlyCharacters, mode: isLive ? 'live' : 'fixtures' }));
  else
    console.log(
      `${count(result.files.length, 'fichier')} dans ${folder}\u00a0; ${count(result.monthCharacters, 'caractère')} ce mois-ci sur ${number(monthlyCharacters)}.`,
    );
  return 0;
}

/** What is paid by the character is the text of a file that is one: of another encoding, or of a word processor, signs would be said. */
async function readScript(script: string): Promise<string> {
  const bytes = await readFile(typedPath(script)).catch(() => {
    throw new VoiceRefusal(`«\u00a0${script}\u00a0» n’est pas un fichier lisible.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new VoiceRefusal(`«\u00a0${script}\u00a0» n’est pas un texte UTF-8\u00a0: rien n’a été dit.`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isExpected = error instanceof VoiceRefusal || error instanceof ConfigurationError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}
