import type { Metadata } from 'next';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { Progress } from '#app/_ui/data/gauges.tsx';
import { bytes, date, number } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { erasedFrom } from '#lib/identity/closing/closing-rules.ts';
import { readClosing } from '#lib/identity/closing/read-closing.ts';
import { type ExportView, listExports } from '#lib/storage/offboarding/exports.ts';
import { CloseAccount, ExportAccount, Follow, Reopen } from './controls.tsx';

export const metadata: Metadata = { title: 'Le compte entier' };
/** In seconds. The action that requests an export also starts it. */
export const maxDuration = 300;

/** Settings of the whole account: exporting its data, and closing it. */
export default memberPage(
  { permission: 'members.manage', action: 'exporter ou fermer le compte' },
  async ({ ctx, now }) => {
    const [closing, exports] = await Promise.all([readClosing(ctx), listExports(ctx)]);
    const isRunning = exports.some(({ state }) => state === 'RUNNING');
    return (
      <>
        <PageHeader
          title="Le compte entier"
          description="Emporter tout ce qu’il contient, ou le fermer."
          crumbs={[{ label: 'Le compte entier' }]}
        />
        <Section title="Export">
          <p className="mb-3 max-w-3xl text-ink-soft">
            Un zip de tout&nbsp;: espaces et mémoires avec leur historique, journal, écritures, fichiers,
            audit. Il se prépare en arrière-plan, puis reste disponible 24&nbsp;heures pour les fondateurs.
          </p>
          {exports.length > 0 ? (
            <ul role="list" className="mb-4 flex flex-col gap-2">
              {exports.map((one) => (
                <li key={one.id} className="rounded-md border border-line bg-surface px-3.5 py-2.5 text-sm">
                  <ExportRow made={one} now={now} />
                </li>
              ))}
            </ul>
          ) : null}
          {isRunning ? <Follow /> : <ExportAccount />}
        </Section>
        <Section title="Fermeture" className="mt-10">
          {closing.closedAt ? (
            <Notice tone="warn" action={<Reopen />}>
              Ce compte est fermé depuis le {date(closing.closedAt)}. Il se lit et s’exporte&nbsp;; le{' '}
              {date(erasedFrom(closing.closedAt))}, tout sera effacé, fichiers compris.
            </Notice>
          ) : (
            <>
              <p className="mb-3 max-w-3xl text-ink-soft">
                Un compte fermé ne se change plus, se lit et s’exporte encore, et peut être rouvert pendant
                30&nbsp;jours. Ensuite, tout est effacé&nbsp;: textes, fichiers, membres, audit. Seules
                restent les écritures du portefeuille, sans nom ni adresse.
              </p>
              {closing.isOperator ? (
                <Notice tone="info">Le compte de l’exploitant ne se ferme pas.</Notice>
              ) : (
                <CloseAccount name={closing.name} />
              )}
            </>
          )}
        </Section>
      </>
    );
  },
);

function ExportRow({ made, now }: { made: ExportView; now: Date }) {
  const share = made.total === 0 ? 0 : made.done / made.total;
  if (made.state === 'RUNNING')
    return (
      <span className="flex flex-col gap-1.5">
        <span>
          Export en préparation&nbsp;: {number(made.done)} sur {number(made.total)}
        </span>
        <Progress label="Export en préparation" value={share} />
      </span>
    );
  if (made.state === 'FAILED')
    return (
      <span>
        L’export demandé <Time at={made.createdAt} now={now} /> n’a pas abouti ou n’est plus entier&nbsp;:
        préparez-en un autre.
      </span>
    );
  return (
    <span className="flex flex-wrap items-center justify-between gap-2">
      <span>
        Export prêt, {bytes(Number(made.bytes))}, demandé <Time at={made.createdAt} now={now} />
      </span>
      <AskedDownload href={`/api/exports/${made.id}`} className={buttonClass('secondary', 'sm')}>
        Télécharger
      </AskedDownload>
    </span>
  );
}
