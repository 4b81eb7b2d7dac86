import Link from 'next/link';
import { cx } from '#app/_ui/cx.ts';
import { Status } from '#app/_ui/data/badge.tsx';
import { exactTime } from '#app/_ui/format.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { compareHref, rowHref } from '../journal/filters/query.ts';
import { FullPages } from '../journal/rows/full-pages.tsx';
import { leftFiles } from '../left-files.ts';
import { settingLabel, settingValue } from '../setting-words.ts';
import { shortTitle, titleOf } from '../title.ts';
import { CASE_LABELS, moneyWords } from '../words.ts';
import { Prompt } from './prompt.tsx';
import { RemoveLink } from './remove-link.tsx';

type Fact = { label: string; values: string[]; differs: boolean; isText: boolean };

const NOTHING = '—';
/** The facts that are compared word by word. */
const TEXTS = new Set(['Demande', 'Prompt envoyé']);

/** Two to four generations side by side: their files, then each fact. Values that differ from the first are marked, texts word by word. */
export function Compare({ rows, onlyDifferences }: { rows: GenerationView[]; onlyDifferences: boolean }) {
  const facts = factsOf(rows).filter(({ differs }) => differs || !onlyDifferences);
  const ids = rows.map(({ id }) => id);
  return (
    <section
      aria-label="Comparaison"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen must be scrollable by keyboard
      tabIndex={0}
      className="-mx-4 overflow-x-auto px-4 sm:-mx-3 sm:px-3"
    >
      <table
        className="-mx-2 w-[calc(100%+1rem)] table-fixed border-collapse text-sm"
        style={{ minWidth: `${rows.length * 10}rem` }}
      >
        <caption className="sr-only">Ce qui les rapproche et ce qui les distingue</caption>
        <thead>
          <tr>
            {rows.map((row) => (
              <th key={row.id} scope="col" className="px-2 pb-3 text-left align-top font-normal">
                <div className="relative grid aspect-square place-items-center overflow-hidden rounded-md border border-line bg-sunken">
                  {row.files.length > 0 ? (
                    <FullPages files={row.files} alt={shortTitle(titleOf(row))} className="max-h-full" />
                  ) : (
                    <p className="p-3 text-center text-ink-soft">{row.message ?? row.label}</p>
                  )}
                </div>
                <div className="mt-2 flex min-w-0 flex-wrap items-center justify-between gap-1">
                  <Status status={row.status} />
                  {rows.length > 2 ? (
                    <RemoveLink
                      href={compareHref(
                        ids.filter((id) => id !== row.id),
                        onlyDifferences,
                      )}
                      title={shortTitle(titleOf(row))}
                    />
                  ) : null}
                </div>
                <Link
                  href={rowHref(row.id)}
                  prefetch={false}
                  className="wrap-anywhere mt-1 line-clamp-2 font-medium hover:underline"
                >
                  {titleOf(row)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        {facts.map(({ label, values, differs, isText }) => (
          <tbody key={label} className="border-line border-t">
            <tr>
              <th
                scope="rowgroup"
                colSpan={rows.length}
                className="px-2 pt-2 text-left font-normal text-ink-faint text-xs"
              >
                <span className="sticky left-2">
                  {label}
                  {differs ? <span className="sr-only"> (différent)</span> : null}
                </span>
              </th>
            </tr>
            <tr>
              {values.map((value, index) => (
                <td
                  key={ids[index]}
                  className={cx(
                    'wrap-anywhere px-2 pt-0.5 pb-2 align-top',
                    differs ? 'text-ink' : 'text-ink-soft',
                  )}
                >
                  {isText && differs && index > 0 ? (
                    <Prompt base={values[0] ?? ''} text={value} />
                  ) : (
                    <span
                      className={cx(
                        'whitespace-pre-line',
                        differs &&
                          !isText &&
                          value !== values[0] &&
                          'rounded-xs bg-mark px-1 font-medium text-on-mark',
                      )}
                    >
                      {value}
                    </span>
                  )}
                </td>
              ))}
            </tr>
          </tbody>
        ))}
      </table>
      {facts.length === 0 ? (
        <p className="py-4 text-ink-soft">Rien de ce qui a été demandé ne distingue ces générations.</p>
      ) : null}
    </section>
  );
}

function factsOf(rows: readonly GenerationView[]): Fact[] {
  const each = rows.map(factsOfRow);
  const labels = [...new Set(each.flatMap((one) => [...one.keys()]))];
  return labels.map((label) => {
    const values = each.map((one) => one.get(label) ?? NOTHING);
    return { label, values, differs: new Set(values).size > 1, isText: TEXTS.has(label) };
  });
}

function factsOfRow(row: GenerationView): Map<string, string> {
  const facts = new Map<string, string>();
  if (row.params.brief) facts.set('Demande', row.params.brief);
  if (row.params.prompt && row.params.prompt !== row.params.brief)
    facts.set('Prompt envoyé', row.params.prompt);
  facts.set('Type', KIND_LABELS[row.kind]);
  if (row.case) facts.set('Cas', CASE_LABELS[row.case] ?? row.case);
  if (row.modelId) facts.set('Modèle', row.modelId);
  for (const [name, value] of Object.entries(row.params.settings ?? {}))
    facts.set(settingLabel(name), settingValue(name, value));
  facts.set('Montant', moneyWords(row));
  const left = leftFiles(row);
  const [file] = left;
  if (left.length > 1) facts.set('Fichiers', String(left.length));
  if (file?.width && file.height) facts.set('Dimensions', `${file.width} × ${file.height}`);
  facts.set('Demandé', exactTime(row.createdAt));
  return facts;
}
