import { BadgeCheck, CircleHelp, PenLine, ShieldAlert, Sparkles } from 'lucide';
import { withQuery } from '#app/_cockpit/money.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Badge, type Tone } from '#app/_ui/data/badge.tsx';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import type { Voice, VoiceOrigin } from '#lib/providers/ports-voice.ts';
import { ListenButton } from './listen-button.tsx';
import { labelsOf } from './voice-words.ts';

const ORIGINS: Record<VoiceOrigin, { words: string; tip: string; tone: Tone; icon: IconDrawing }> = {
  provider: {
    words: 'Voix du fournisseur',
    tip: 'Faite par le fournisseur, libre d’emploi selon son contrat',
    tone: 'mute',
    icon: BadgeCheck,
  },
  synthetic: {
    words: 'Voix de synthèse',
    tip: 'Inventée à partir d’un texte\u00a0: elle n’est celle de personne',
    tone: 'mute',
    icon: Sparkles,
  },
  library: {
    words: 'Voix partagée',
    tip: 'Partagée par son propriétaire, sous le contrat du fournisseur',
    tone: 'mute',
    icon: BadgeCheck,
  },
  'verified-clone': {
    words: 'Personne vérifiée',
    tip: 'Le fournisseur a vérifié le consentement de cette personne',
    tone: 'ok',
    icon: BadgeCheck,
  },
  clone: {
    words: 'Personne non vérifiée',
    tip: 'Personne n’a vérifié son consentement',
    tone: 'warn',
    icon: ShieldAlert,
  },
  unknown: {
    words: 'Origine inconnue',
    tip: 'Le fournisseur ne dit pas d’où vient cette voix',
    tone: 'warn',
    icon: CircleHelp,
  },
};

type VoiceRowProps = { voice: Voice; isDefault: boolean; canListen: boolean };

/** One voice: its name, description, labels and origin, with buttons to listen to it and to use it. */
export function VoiceRow({ voice, isDefault, canListen }: VoiceRowProps) {
  const origin = ORIGINS[voice.origin];
  const labels = labelsOf(voice);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <ListenButton voiceId={voice.id} name={voice.name} disabled={!canListen} />
      <div className="min-w-0 grow basis-64">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="wrap-anywhere min-w-0 font-medium">{voice.name}</span>
          {isDefault ? <Badge tone="accent">Par défaut</Badge> : null}
          <Badge tone={origin.tone} icon={origin.icon} tip={origin.tip}>
            {origin.words}
          </Badge>
        </p>
        {voice.description ? (
          <p className="wrap-anywhere mt-0.5 text-ink-soft text-sm">{voice.description}</p>
        ) : null}
        {labels.length > 0 ? <p className="mt-0.5 text-ink-faint text-xs">{labels.join(' · ')}</p> : null}
        {voice.consentNeeded ? (
          <p className="mt-1 flex items-start gap-1.5 text-warn text-xs">
            <Icon of={PenLine} size={14} className="mt-px shrink-0" />
            Un consentement signé de la personne est demandé à la composition.
          </p>
        ) : null}
      </div>
      <LinkButton
        size="sm"
        href={withQuery('/creer', { type: 'voice', voix: voice.id })}
        prefetch={false}
        className="max-sm:ml-12"
      >
        Utiliser<span className="sr-only"> {voice.name}</span>
      </LinkButton>
    </li>
  );
}
