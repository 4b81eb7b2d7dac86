'use client';
import { LoaderCircle, RefreshCw, X } from 'lucide-react';
import Link from 'next/link';
import { TilePages } from '#app/_studio/journal/pages.tsx';
import { useNow } from '#app/_studio/use-now.ts';
import { moneyWords, nextCloser } from '#app/_studio/words.ts';
import { Button, LinkButton } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Status } from '#app/_ui/data/badge.tsx';
import { duration } from '#app/_ui/format.ts';
import { RequestId } from '#app/_ui/state/notice.tsx';
import type { Sent } from './use-sending.ts';

type Props = { sent: Sent[]; onAgain: (one: Sent) => void; onDismiss: (key: string) => void };

/** What left the composer during this visit, newest first; the journal keeps it all. */
export default function SentList({ sent, onAgain, onDismiss }: Props) {
  return (
    <section aria-label="Envoyées" className="mt-10">
      <header className="mb-3 flex items-center justify-between gap-3">
        <h2 className="font-semibold text-base">Envoyées à l’instant</h2>
        <LinkButton href="/journal" size="sm" variant="quiet">
          Tout le journal
        </LinkButton>
      </header>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {sent.map((one) => (
          <li
            key={one.key}
            data-sent={one.row?.status ?? (one.refusal ? 'refused' : 'sending')}
            className="relative flex min-w-0 gap-3 rounded-md border border-line bg-surface p-3"
          >
            <div className="relative grid size-24 shrink-0 place-items-center overflow-hidden rounded-xs bg-sunken text-ink-faint">
              {one.row && one.row.files.length > 0 ? (
                <TilePages files={one.row.files} alt={one.title} />
              ) : one.refusal ? null : (
                <LoaderCircle aria-hidden size={20} className="animate-turn" />
              )}
            </div>
            <div className="flex min-w-0 grow flex-col gap-1 pr-6 text-sm">
              <p className="truncate font-medium" data-tip={one.title}>
                {one.row ? (
                  <Link href={`/journal/${one.row.id}`} className="hover:underline">
                    {one.title}
                  </Link>
                ) : (
                  one.title
                )}
              </p>
              <Course one={one} />
              {one.refusal && !one.row && one.refusal.code === 'network' ? (
                <div>
                  <Button size="sm" icon={RefreshCw} onClick={() => onAgain(one)}>
                    Réessayer
                  </Button>
                </div>
              ) : null}
            </div>
            {!one.flying && (one.row || one.refusal) ? (
              <IconButton
                icon={X}
                label="Retirer de cette liste"
                onClick={() => onDismiss(one.key)}
                className="absolute! top-1 right-1 size-7"
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Course({ one }: { one: Sent }) {
  const running = one.row ? one.row.status === 'running' : !one.refusal;
  const now = useNow(one.at, running);
  const { row, refusal } = one;
  if (row)
    return (
      <>
        <span role="status">
          <Status status={row.status} />
        </span>
        <span className="tabular text-ink-soft text-xs">
          {row.status === 'running'
            ? `${duration(Math.max(1000, now - Date.parse(one.at)))} · ${nextCloser(row, now)}`
            : (row.message ?? moneyWords(row))}
        </span>
        {row.message && row.status !== 'running' ? (
          <span className="text-ink-faint text-xs">{moneyWords(row)}</span>
        ) : null}
      </>
    );
  if (refusal)
    return (
      <>
        <span role="alert" className="wrap-anywhere text-fail">
          {refusal.message}
        </span>
        {refusal.requestId ? <RequestId id={refusal.requestId} /> : null}
      </>
    );
  return (
    <span role="status" className="tabular text-ink-soft text-xs">
      En cours depuis {duration(Math.max(1000, now - Date.parse(one.at)))}. Vous pouvez quitter cette
      page&nbsp;: le journal la suit.
    </span>
  );
}
