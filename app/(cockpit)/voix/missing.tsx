import { Settings2 } from 'lucide';
import { VOICE_PARTS } from '#app/_studio/voice-parts.ts';
import { EmptyState } from '#app/_ui/state/states.tsx';
import type { MissingPart } from '#lib/studio/voices/voice-desk.ts';

/** Why voices cannot be used here: each missing part with its remedy for a founder, one sentence for a member. */
export function MissingParts({ missing }: { missing: MissingPart[] | string | undefined }) {
  const parts = Array.isArray(missing) ? missing : [];
  return (
    <EmptyState icon={Settings2} title="La voix n’est pas encore réglée">
      {typeof missing === 'string' ? missing : 'Rien n’a été débité. Il manque à la configuration\u00a0:'}
      {parts.length > 0 ? (
        <ul role="list" className="mt-4 divide-y divide-line border-line border-y text-left">
          {parts.map((part) => (
            <li key={part} className="py-2.5">
              <p className="font-medium text-ink">{VOICE_PARTS[part].what}</p>
              <p className="text-sm">{VOICE_PARTS[part].how}</p>
            </li>
          ))}
        </ul>
      ) : null}
    </EmptyState>
  );
}
