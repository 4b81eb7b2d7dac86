import { X } from 'lucide-react';
import Link from 'next/link';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Status } from '#app/_ui/data/badge.tsx';
import { exactTime } from '#app/_ui/format.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { CASE_LABELS, moneyWords, settingLabel, settingValue } from '../words.ts';
import { FullPages } from './pages.tsx';
import { titleOf } from './title.ts';

/** Two generations side by side; what differs between them is marked. */
export function Compare({ rows, closeHref }: { rows: GenerationView[]; closeHref: string }) {
  const facts = rows.map(factsOf);
  const labels = [...new Set(facts.flatMap((one) => [...one.keys()]))];
  return (
    <section aria-label="Comparaison" className="mb-8 rounded-md border border-line bg-surface p-4">
      <header className="mb-4 flex items-center justify-between gap-3">
        <h2 className="font-semibold text-base">Comparaison</h2>
        <LinkButton href={closeHref} scroll={false} size="sm" variant="quiet" icon={X}>
          Fermer
        </LinkButton>
      </header>
      <div className="grid grid-cols-2 gap-4">
        {rows.map((row) => (
          <div key={row.id} className="flex min-w-0 flex-col gap-2">
            <div className="relative grid min-h-32 grow place-items-center overflow-hidden rounded-md bg-sunken">
              {row.files.length > 0 ? (
                <FullPages files={row.files} alt={titleOf(row)} className="max-h-[50vh]" />
              ) : (
                <p className="p-4 text-center text-ink-soft text-sm">{row.message ?? row.label}</p>
              )}
            </div>
            <div className="flex min-w-0 flex-wrap items-center gap-2">
              <Status status={row.status} />
              <Link href={`/journal/${row.id}`} className="min-w-0 truncate font-medium hover:underline">
                {titleOf(row)}
              </Link>
            </div>
          </div>
        ))}
      </div>
      <table className="mt-4 w-full table-fixed border-collapse text-sm">
        <caption className="sr-only">Ce qui les rapproche et ce qui les distingue</caption>
        <tbody className="divide-y divide-line border-line border-t">
          {labels.map((label) => {
            const values = facts.map((one) => one.get(label) ?? '—');
            const differs = new Set(values).size > 1;
            return (
              <tr key={label}>
                <th
                  scope="row"
                  className="w-28 py-2 pr-3 text-left align-top font-normal text-ink-soft sm:w-40"
                >
                  {label}
                  {differs ? <span className="sr-only"> (différent)</span> : null}
                </th>
                {values.map((value, index) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: two columns that never move
                    key={index}
                    className={cx(
                      'wrap-anywhere whitespace-pre-line px-2 py-2 align-top',
                      differs ? 'bg-mark/40 font-medium' : 'text-ink-soft',
                    )}
                  >
                    <span
                      className="line-clamp-6"
                      data-tip={value.length > 200 ? value.slice(0, 600) : undefined}
                    >
                      {value}
                    </span>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function factsOf(row: GenerationView): Map<string, string> {
  const facts = new Map<string, string>();
  facts.set('Type', KIND_LABELS[row.kind]);
  if (row.case) facts.set('Cas', CASE_LABELS[row.case] ?? row.case);
  if (row.modelId) facts.set('Modèle', row.modelId);
  if (row.params.brief) facts.set('Demande', row.params.brief);
  if (row.params.prompt && row.params.prompt !== row.params.brief)
    facts.set('Prompt envoyé', row.params.prompt);
  for (const [name, value] of Object.entries(row.params.settings ?? {}))
    facts.set(settingLabel(name), settingValue(name, value));
  facts.set('Montant', moneyWords(row));
  const [file] = row.files;
  if (row.files.length > 1) facts.set('Fichiers', String(row.files.length));
  if (file?.width && file.height) facts.set('Dimensions', `${file.width} × ${file.height}`);
  facts.set('Demandé', exactTime(row.createdAt));
  return facts;
}
