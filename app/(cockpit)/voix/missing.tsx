import { Settings2 } from 'lucide-react';
import { EmptyState } from '#app/_ui/state/states.tsx';
import type { MissingPart } from '#lib/studio/voice-desk.ts';

const PARTS: Record<MissingPart, { what: string; how: string }> = {
  providers: {
    what: 'Le service de voix n’est pas servi',
    how: 'Ajoutez « elevenlabs » à SERVICE_PROVIDERS.',
  },
  'voice-key': {
    what: 'La clé du service manque ou n’a pas la bonne forme',
    how: 'ELEVENLABS_API_KEY commence par « sk_ ».',
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

/** Why no voice can be read here: part by part for a founder, one sentence for a member. */
export function MissingParts({ missing }: { missing: MissingPart[] | string | undefined }) {
  const parts = Array.isArray(missing) ? missing : [];
  return (
    <EmptyState icon={Settings2} title="La voix n’est pas encore réglée">
      {typeof missing === 'string' ? missing : 'Rien n’a été débité. Il manque à la configuration\u00a0:'}
      {parts.length > 0 ? (
        <ul className="mt-4 divide-y divide-line border-line border-y text-left">
          {parts.map((part) => (
            <li key={part} className="py-2.5">
              <p className="font-medium text-ink">{PARTS[part].what}</p>
              <p className="text-sm">{PARTS[part].how.replace('« ', '«\u00a0').replace(' »', '\u00a0»')}</p>
            </li>
          ))}
        </ul>
      ) : null}
    </EmptyState>
  );
}
