import { AudioLines, Search } from 'lucide';
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Meter } from '#app/_ui/data/gauges.tsx';
import { count, exactTime } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { studioPorts } from '#lib/http/runtime/studio.ts';
import { voiceServing } from '#lib/http/runtime/voice-serving.ts';
import { readVoiceDesk, type VoiceDesk } from '#lib/studio/voices/voice-desk.ts';
import { libraryWords } from './library-words.ts';
import { MissingParts } from './missing.tsx';
import { VoiceRow } from './voice-row.tsx';
import { isFound } from './voice-words.ts';

export const metadata: Metadata = { title: 'Voix' };

export default memberPage(
  { permission: 'generate', action: 'utiliser les voix' },
  async ({ ctx, query, now }) => {
    const studio = studioPorts();
    const desk = await readVoiceDesk({ ...ctx, studio }, voiceServing());
    const recorded = studio.providers.modes.elevenlabs === 'fixtures';
    const free = query.consentement === 'sans';
    const voices = desk.voices
      .filter((voice) => !free || !voice.consentNeeded)
      .filter((voice) => isFound(voice, query.q ?? ''))
      .sort(
        (one, other) => Number(other.id === desk.defaultVoiceId) - Number(one.id === desk.defaultVoiceId),
      );
    return (
      <>
        <PageHeader
          title="Voix"
          description="Les voix que le compte peut faire parler, d’où elles viennent, et ce qu’il reste à dire ce mois-ci."
          action={
            desk.ready ? (
              <LinkButton
                variant="primary"
                icon={AudioLines}
                href={withQuery('/creer', { type: 'voice', voix: desk.defaultVoiceId ?? undefined })}
              >
                Faire parler une voix
              </LinkButton>
            ) : null
          }
        />
        {desk.ready ? (
          <div className="space-y-8">
            {recorded ? (
              <Notice tone="info">
                Ici, la voix répond par des enregistrements&nbsp;: rien n’est débité chez le fournisseur, et
                toutes les voix se ressemblent.
              </Notice>
            ) : null}
            <Quota desk={desk} now={now} />
            <Section
              title="Bibliothèque"
              description={desk.listError ? undefined : libraryWords(voices.length, desk.voices.length)}
              action={
                desk.voices.length > 0 ? (
                  <div className="flex flex-wrap items-center gap-2">
                    <FilterChip
                      href={withQuery('/voix', { q: query.q, consentement: free ? undefined : 'sans' })}
                      label="Sans consentement à fournir"
                      active={free}
                    />
                    <form action="/voix" className="relative">
                      {free ? <input type="hidden" name="consentement" value="sans" /> : null}
                      <Icon
                        of={Search}
                        size={16}
                        className="absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint"
                      />
                      <input
                        type="search"
                        name="q"
                        defaultValue={query.q ?? ''}
                        aria-label="Chercher une voix"
                        placeholder="Chercher une voix"
                        className="touch h-8 w-52 rounded-md border border-line-strong bg-surface pr-3 pl-9 text-sm pointer-coarse:text-base"
                      />
                    </form>
                  </div>
                ) : null
              }
            >
              {desk.listError ? <ListError desk={desk} /> : null}
              {voices.length > 0 ? (
                <ul role="list" className="divide-y divide-line border-line border-y">
                  {voices.map((voice) => (
                    <VoiceRow
                      key={voice.id}
                      voice={voice}
                      isDefault={voice.id === desk.defaultVoiceId}
                      canListen={recorded || voice.previewUrl !== undefined}
                    />
                  ))}
                </ul>
              ) : desk.listError && desk.voices.length === 0 ? null : (
                <EmptyState
                  icon={AudioLines}
                  title={desk.voices.length > 0 ? 'Aucune voix ne correspond' : 'La bibliothèque est vide'}
                  action={
                    desk.voices.length > 0 ? <LinkButton href="/voix">Voir toutes les voix</LinkButton> : null
                  }
                >
                  {desk.voices.length > 0
                    ? 'Cherchez un nom, une langue ou un usage.'
                    : 'Ajoutez des voix dans le compte du fournisseur\u00a0: elles apparaîtront ici sous dix minutes.'}
                </EmptyState>
              )}
            </Section>
          </div>
        ) : (
          <MissingParts missing={desk.missing} />
        )}
      </>
    );
  },
);

function Quota({ desk, now }: { desk: VoiceDesk; now: Date }) {
  if (!desk.quota)
    return (
      <Notice tone="warn">
        {desk.quotaError ?? 'Le quota du compte de voix n’est pas connu.'} Les voix restent utilisables&nbsp;;
        une demande au-delà du quota échoue et le montant retenu est remboursé.
      </Notice>
    );
  const { used, limit, remaining, isUncapped = false, resetsAt } = desk.quota;
  return (
    <div className="max-w-xl">
      <Meter
        label="Caractères du compte de voix"
        used={used}
        total={limit}
        hint={
          <>
            Il reste {count(remaining, 'caractère')}
            {resetsAt ? (
              <>
                , remis à zéro <Time at={resetsAt} now={now} />
                <span className="sr-only"> ({exactTime(resetsAt)})</span>
              </>
            ) : null}
            .{isUncapped ? ' Au-delà, le fournisseur lit encore et facture à l’usage.' : null} Ce quota est
            celui du fournisseur, pour tout le compte.
          </>
        }
      />
      {remaining <= 0 && !isUncapped ? (
        <Notice tone="warn" className="mt-3">
          Le quota est épuisé&nbsp;: une voix demandée maintenant échouera, et le montant retenu sera
          remboursé.
        </Notice>
      ) : null}
    </div>
  );
}

function ListError({ desk }: { desk: VoiceDesk }) {
  return (
    <Notice
      tone="warn"
      className="mb-4"
      action={
        <LinkButton href="/voix" size="sm">
          Réessayer
        </LinkButton>
      }
    >
      {desk.listError}
      {desk.errorDetail ? (
        <span className="block text-ink-faint text-xs">{desk.errorDetail.list}</span>
      ) : null}
      {desk.defaultVoiceId ? (
        <span className="block text-xs">
          Voix par défaut&nbsp;: <span className="font-mono">{desk.defaultVoiceId}</span>
        </span>
      ) : null}
    </Notice>
  );
}
