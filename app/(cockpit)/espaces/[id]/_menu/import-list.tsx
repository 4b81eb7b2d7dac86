'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { readJson } from '#app/_cockpit/act.ts';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { ApiError } from '#app/_ui/api-error.ts';
import { Progress } from '#app/_ui/data/gauges.tsx';
import { count, ofName } from '#app/_ui/format.ts';
import { pollEvery } from '#app/_ui/poll-every.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import type { ImportView } from '#lib/brain/imports/jobs.ts';
import { SimilarLink } from '../_notices/similar-notice.tsx';

const ASK_EVERY_MS = 1_000;
/** The report counts refused files, and the parts left out of accepted ones (parse/left-out.ts). */
const REFUSED_OR_LEFT = ['refusé ou laissé de côté', 'refusés ou laissés de côté'] as const;

/** The running imports and recent reports. Reloaded while one is running and the page is visible; the page is refreshed when it ends. */
export default function ImportList({ imports }: { imports: ImportView[] }) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = imports.filter(({ id }) => !hidden.includes(id));
  if (shown.length === 0) return null;
  return (
    <section aria-label="Imports" className="mb-6">
      <ul role="list" className="space-y-2">
        {shown.map((job) => (
          <li key={job.id}>
            {/* Rendered before it has content: a live region added together with its text is not always announced. */}
            <div role="status">
              <ImportRow job={job} onHide={() => setHidden((before) => [...before, job.id])} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ImportRow({ job: first, onHide }: { job: ImportView; onHide: () => void }) {
  const router = useRouter();
  const [job, setJob] = useState(first);
  const [over, setOver] = useState<401 | 404 | null>(null);
  const { id, state } = job;
  useEffect(() => {
    if (state !== 'RUNNING' || over) return;
    let alive = true;
    let asking = false;
    const stop = pollEvery(ASK_EVERY_MS, async () => {
      if (asking) return;
      asking = true;
      try {
        const next = await readJson<ImportView>(`/api/brain/imports/${id}`);
        if (!alive) return;
        setJob(next);
        if (next.state !== 'RUNNING') router.refresh();
      } catch (error) {
        // Any other error is ignored: the next request tries again.
        const status = error instanceof ApiError ? error.status : 0;
        if (alive && (status === 401 || status === 404)) setOver(status);
      } finally {
        asking = false;
      }
    });
    return () => {
      alive = false;
      stop();
    };
  }, [id, state, over, router]);

  const name = cutShort(job.label, 80);
  const hide = (
    <button
      ref={focusBeside}
      type="button"
      onClick={onHide}
      className="touch rounded-xs px-1 text-ink-soft text-sm hover:text-ink"
    >
      Masquer
    </button>
  );
  if (over === 404)
    return (
      <Notice tone="info" action={hide}>
        <span className="font-medium">Import {ofName(name)}</span>&nbsp;: il n’est plus suivi. Il a été
        effacé, ou cet espace ne vous est plus ouvert.
      </Notice>
    );
  if (job.state === 'RUNNING')
    return (
      <div className="rounded-md border border-line bg-surface px-3.5 py-2.5 text-sm">
        <div className="mb-1.5 flex justify-between gap-3">
          <span className="wrap-anywhere min-w-0">Import {ofName(name)}</span>
          {/* Hidden from assistive technology, because it changes each second: the progress bar below gives it on demand. */}
          <span aria-hidden className="tabular whitespace-nowrap text-ink-faint">
            {job.done} / {job.total}
          </span>
        </div>
        <Progress label={`Import ${ofName(name)}`} value={job.total > 0 ? job.done / job.total : 0} />
        {over ? (
          <p className="mt-1.5 text-ink-soft">
            Votre session est terminée&nbsp;:{' '}
            <Link
              href={`/connexion?retour=/espaces/${job.spaceId}`}
              prefetch={false}
              className="font-medium underline"
            >
              reconnectez-vous
            </Link>{' '}
            pour suivre cet import.
          </p>
        ) : null}
      </div>
    );
  const counts = [
    job.created > 0 ? count(job.created, 'mémoire ajoutée', 'mémoires ajoutées') : null,
    job.updated > 0 ? count(job.updated, 'mise à jour', 'mises à jour') : null,
    job.unchanged > 0 ? count(job.unchanged, 'inchangée', 'inchangées') : null,
    job.similarCount > 0 ? count(job.similarCount, 'ressemble à une autre', 'ressemblent à d’autres') : null,
    job.refusedCount > 0 ? count(job.refusedCount, ...REFUSED_OR_LEFT) : null,
  ].filter((part) => part !== null);
  const tone = job.state === 'FAILED' ? 'fail' : job.refusedCount > 0 ? 'warn' : 'ok';
  return (
    <Notice tone={tone} action={hide}>
      <p className="wrap-anywhere">
        <span className="font-medium">Import {ofName(name)}</span>&nbsp;:{' '}
        {job.state === 'FAILED'
          ? `interrompu par une erreur. Ce qui était écrit est gardé (${counts.join(', ') || 'rien'})\u00a0; réimportez, rien ne sera écrit deux fois.`
          : `${counts.join(', ') || 'rien à écrire'}.`}
        {job.capacityFull ? ' La capacité du compte ne suffit pas.' : ''}
      </p>
      {job.similar.length > 0 ? (
        <details className="mt-1">
          <summary className="inline-flex min-h-6 items-center text-ink-soft">
            Voir ce qui ressemble à d’autres mémoires
          </summary>
          <ul role="list" className="mt-1 max-h-48 space-y-1 overflow-y-auto">
            {job.similar.map(({ id, title, similar: [other] }) => (
              <li key={id} className="wrap-anywhere">
                <Link
                  href={`/espaces/${job.spaceId}?memoire=${id}`}
                  prefetch={false}
                  className="font-medium underline"
                >
                  {title}
                </Link>{' '}
                et {other ? <SimilarLink other={other} spaceId={job.spaceId} /> : null}
              </li>
            ))}
          </ul>
          {job.similarCount > job.similar.length ? (
            <p className="mt-1 text-ink-faint">et {count(job.similarCount - job.similar.length, 'autre')}.</p>
          ) : null}
        </details>
      ) : null}
      {job.refused.length > 0 ? (
        <details className="mt-1">
          <summary className="inline-flex min-h-6 items-center text-ink-soft">
            Voir ce qui a été refusé ou laissé de côté
          </summary>
          <ul role="list" className="mt-1 max-h-48 space-y-1 overflow-y-auto">
            {job.refused.map(({ path, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the refusals of a finished import never move
              <li key={index} className="wrap-anywhere">
                <span className="font-medium">{path}</span>&nbsp;: {reason}
              </li>
            ))}
          </ul>
          {job.refusedCount > job.refused.length ? (
            <p className="mt-1 text-ink-faint">et {count(job.refusedCount - job.refused.length, 'autre')}.</p>
          ) : null}
        </details>
      ) : null}
    </Notice>
  );
}
