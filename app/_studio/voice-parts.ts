import type { MissingPart } from '#lib/studio/voices/voice-desk.ts';

/** What the voice service lacks, in words, and how to set it up. */
export const VOICE_PARTS: Record<MissingPart, { what: string; how: string }> = {
  providers: {
    what: 'Le service de voix n’est pas servi',
    how: 'Ajoutez «\u00a0elevenlabs\u00a0» à SERVICE_PROVIDERS.',
  },
  'voice-key': {
    what: 'La clé du service manque ou n’a pas la bonne forme',
    how: 'ELEVENLABS_API_KEY commence par «\u00a0sk_\u00a0».',
  },
  'default-voice': {
    what: 'Aucune voix par défaut',
    how: 'Donnez son identifiant dans ELEVENLABS_VOICE_ID.',
  },
  'file-store': {
    what: 'Le magasin de fichiers n’est pas relié',
    how: 'Donnez son jeton dans BLOB_READ_WRITE_TOKEN.',
  },
};
