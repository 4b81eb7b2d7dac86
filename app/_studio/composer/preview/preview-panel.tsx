'use client';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Facts } from '#app/_ui/data/card.tsx';
import { count } from '#app/_ui/format.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { Purse } from '#lib/ledger/reads/schemas.ts';
import { IgnoredLayers } from '../../detail/ignored-layers.tsx';
import { dollars } from '../../money-words.ts';
import { CASE_LABELS } from '../../words.ts';
import type { ComposerKind } from '../draft/draft.ts';
import { UPSCALE_CASE } from '../draft/roles.ts';
import type { PreviewState } from './use-preview.ts';

/** What will be sent and held: the exact prompt, the layers left out, the amount, the balance after it, the caps. */
export default function PreviewPanel({
  state,
  wallet,
  kind,
  written,
  variants,
}: {
  state: PreviewState;
  wallet: Purse;
  kind: ComposerKind;
  /** Whether anything was entered: before that, only a network failure is shown. */
  written: boolean;
  /** The number of generations asked for. */
  variants: number;
}) {
  const { preview, refusal, stale } = state;
  // The wallet that the preview read with its amounts, else the one that the page was rendered with.
  const purse = preview?.wallet ?? wallet;
  const amount = (micros: number, className?: string) =>
    stale ? (
      <span className="text-ink-faint">calcul…</span>
    ) : (
      <span className={cx('font-mono', className)}>{dollars(micros)}</span>
    );
  return (
    <aside aria-label="Aperçu" aria-busy={stale} className="flex flex-col gap-5">
      <section>
        <h2 className="mb-2 font-semibold text-base">Ce qui sera envoyé</h2>
        {preview?.prompt ? (
          <div className="relative rounded-md border border-line bg-surface p-3 pr-11">
            <section
              aria-label="Prompt exact"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a long prompt must be scrollable by keyboard
              tabIndex={0}
              className={cx(
                'wrap-anywhere max-h-64 overflow-y-auto whitespace-pre-wrap text-sm',
                stale && 'text-ink-faint',
              )}
            >
              {preview.prompt}
            </section>
            <span className="absolute top-1.5 right-1.5">
              <CopyButton compact text={preview.prompt} label="Copier le prompt" />
            </span>
            <p className="tabular mt-2 text-ink-faint text-xs">{count(preview.prompt.length, 'caractère')}</p>
          </div>
        ) : (
          <p className="rounded-md border border-line border-dashed p-3 text-ink-soft text-sm">
            {kind === 'lipsync'
              ? 'Ce type n’envoie pas de prompt\u00a0: la voix et le visage choisis.'
              : kind === 'render'
                ? 'Ce type n’envoie pas de prompt\u00a0: le gabarit et ses champs, tels qu’ils sont écrits.'
                : preview?.case === UPSCALE_CASE
                  ? 'Un agrandissement n’envoie pas de prompt\u00a0: l’image choisie.'
                  : written
                    ? 'Le prompt exact paraîtra ici dès que la demande sera recevable.'
                    : 'Écrivez la demande\u00a0: le prompt exact paraîtra ici, mot pour mot.'}
          </p>
        )}
        {preview ? <IgnoredLayers layers={preview.ignoredLayers} /> : null}
      </section>
      <section>
        <h2 className="mb-1 font-semibold text-base">Ce qui sera retenu</h2>
        <Facts
          items={[
            {
              label: 'Montant retenu',
              value: preview ? amount(preview.heldUsd, 'font-medium') : '—',
            },
            ...(preview && variants > 1 && !stale
              ? [{ label: 'Soit', value: `${variants} fois ${dollars(preview.eachUsd)}` }]
              : []),
            ...(preview?.basis && !stale ? [{ label: 'Base du prix', value: preview.basis }] : []),
            ...(preview?.priceSource && !stale
              ? [{ label: 'Source du prix', value: preview.priceSource }]
              : []),
            {
              label: 'Solde disponible',
              value: <span className="font-mono">{dollars(purse.availableUsd)}</span>,
            },
            {
              label: 'Solde après',
              value: preview ? amount(preview.afterUsd, preview.afterUsd < 0 ? 'text-fail' : '') : '—',
            },
            {
              label: 'Plafond par génération',
              value: purse.perGenerationCapUsd === null ? 'aucun' : dollars(purse.perGenerationCapUsd),
            },
            {
              label: 'Plafond du mois',
              value:
                purse.monthlyCapUsd === null
                  ? 'aucun'
                  : `${dollars(purse.monthUsedUsd)} sur ${dollars(purse.monthlyCapUsd)}`,
            },
            ...(preview
              ? [{ label: 'Modèle', value: `${CASE_LABELS[preview.case ?? ''] ?? ''} · ${preview.modelId}` }]
              : []),
            ...(preview?.fallbackModelId
              ? [{ label: 'S’il est indisponible', value: preview.fallbackModelId }]
              : []),
          ]}
        />
        {/* In the page before its text: some screen readers do not announce a region that appears with its text. */}
        <div role="status" className="mt-3 flex flex-col gap-3">
          {preview?.refusal && !stale && written ? (
            <Notice tone="warn">{preview.refusal.message}</Notice>
          ) : null}
          {refusal && (written || refusal.code === 'network') ? (
            <Notice tone={refusal.code === 'network' ? 'fail' : 'info'} requestId={refusal.requestId}>
              {refusal.problems?.[0]?.message ?? refusal.message}
            </Notice>
          ) : null}
        </div>
      </section>
    </aside>
  );
}
