import { Mail } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { systemClock } from '#lib/core/clock.ts';
import { listOutbox } from '#lib/core/mail/outbox.ts';
import { connection } from '#lib/http/runtime/connection.ts';
import { showsOutbox } from '#lib/http/security/shows-outbox.ts';

export const metadata: Metadata = { title: 'Boîte d’envoi' };

/** The messages that left this machine, outside production, for who has the token printed at the start. Elsewhere the page does not exist. */
export default async function OutboxPage({
  searchParams,
}: {
  searchParams: Promise<{ jeton?: string | string[] }>;
}) {
  const { jeton } = await searchParams;
  if (!showsOutbox(typeof jeton === 'string' ? jeton : undefined)) notFound();
  const messages = await listOutbox(connection().db);
  const now = systemClock.now();
  return (
    <main id="contenu" className="mx-auto w-full max-w-2xl px-4 py-12">
      <h1 className="font-semibold text-xl tracking-tight">Boîte d’envoi</h1>
      <p className="mt-1 mb-8 text-ink-soft">
        Les cinquante derniers messages envoyés par cette machine. Cette page n’existe pas en production.{' '}
        <Link href="/connexion" className="text-accent-ink underline underline-offset-4">
          Aller à la connexion
        </Link>
      </p>
      {messages.length === 0 ? (
        <EmptyState icon={Mail} title="Aucun message n’est encore parti">
          Demandez un code de connexion&nbsp;: il apparaîtra ici.
        </EmptyState>
      ) : (
        <ol role="list" className="divide-y divide-line border-line border-y">
          {messages.map((message) => {
            const code = /^ {4}(\d{6})$/m.exec(message.text)?.[1];
            return (
              <li key={message.id} className="py-4">
                <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                  <h2 className="wrap-anywhere min-w-0 font-medium">{message.subject}</h2>
                  <Time
                    at={message.createdAt}
                    now={now}
                    className="whitespace-nowrap text-ink-faint text-xs"
                  />
                </div>
                <p className="wrap-anywhere text-ink-soft text-sm">à {message.recipient}</p>
                {code ? (
                  <div className="mt-3 flex items-center gap-3">
                    <span className="font-mono text-lg tracking-widest">{code}</span>
                    <CopyButton text={code} label="Copier le code" size="sm" />
                  </div>
                ) : null}
                <details className="mt-3">
                  <summary className="text-ink-soft text-sm">Le message entier</summary>
                  <pre className="wrap-anywhere mt-2 whitespace-pre-wrap rounded-md bg-sunken p-3 font-sans text-sm">
                    {message.text}
                  </pre>
                </details>
              </li>
            );
          })}
        </ol>
      )}
    </main>
  );
}
