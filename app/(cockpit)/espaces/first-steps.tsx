'use client';
import { Check, ChevronRight } from 'lucide';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { toast } from '#app/_ui/toast.ts';
import type { FirstStep } from '#lib/identity/first-steps/get-first-steps.ts';
import { putFirstStepsAway } from './actions.ts';

type FirstStepsProps = { steps: { step: FirstStep; done: boolean }[]; spaceId: string | null };

/** The first steps of a new account, done and remaining, with links. The member may hide the list, and undo that. */
export function FirstSteps({ steps, spaceId }: FirstStepsProps) {
  const router = useRouter();
  const [gone, setGone] = useState(false);
  const [pending, start] = useTransition();
  const away = (hidden: boolean) => act(putFirstStepsAway({ hidden }));
  const hide = () =>
    start(async () => {
      if (!(await away(true))) return;
      setGone(true);
      toast({
        title: 'Liste masquée',
        undo: {
          run: async () => {
            const done = await away(false);
            if (done) {
              setGone(false);
              router.refresh();
            }
            return done !== null;
          },
        },
      });
    });
  if (gone) return null;
  const done = steps.filter((one) => one.done).length;
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-8 max-w-2xl rounded-md border border-line bg-surface px-4 py-3"
    >
      <div className="flex items-center gap-3">
        <h2 id="first-steps" className="font-semibold text-sm">
          Pour bien commencer
        </h2>
        <span className="tabular text-ink-faint text-xs">
          {done} sur {steps.length}
        </span>
        <span className="ml-auto">
          <Button ref={focusBeside} size="sm" variant="quiet" pending={pending} onClick={hide}>
            Masquer
          </Button>
        </span>
      </div>
      <ul role="list" className="mt-1">
        {steps.map(({ step, done }) => (
          <li key={step}>
            <Line step={step} done={done} spaceId={spaceId} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ step, done, spaceId }: { step: FirstStep; done: boolean; spaceId: string | null }) {
  const { label, href } = wordsOf(step, spaceId);
  const mark = (
    <span
      aria-hidden
      className={cx(
        'grid size-5 shrink-0 place-items-center rounded-full border',
        done ? 'border-transparent bg-ok-soft text-ok' : 'border-line-strong',
      )}
    >
      {done ? <Icon of={Check} size={14} strokeWidth={2.5} /> : null}
    </span>
  );
  if (done || href === null)
    return (
      <span className={cx('touch flex min-h-9 items-center gap-3 text-sm', done && 'text-ink-faint')}>
        {mark}
        {label}
        {done ? (
          <span className="sr-only"> (fait)</span>
        ) : (
          <span className="ml-auto text-ink-faint text-xs">après le premier espace</span>
        )}
      </span>
    );
  return (
    <Link
      href={href}
      prefetch={false}
      className="touch -mx-2 flex min-h-9 items-center gap-3 rounded-md px-2 text-sm hover:bg-hover"
    >
      {mark}
      <span className="min-w-0">{label}</span>
      <Icon of={ChevronRight} size={16} className="ml-auto shrink-0 text-ink-faint" />
    </Link>
  );
}

function wordsOf(step: FirstStep, spaceId: string | null): { label: string; href: string | null } {
  switch (step) {
    case 'space':
      return { label: 'Créer un premier espace', href: '/espaces?nouveau' };
    case 'import':
      return {
        label: 'Importer des textes dans un espace',
        href: spaceId === null ? null : `/espaces/${spaceId}?importer`,
      };
    case 'image':
      return { label: 'Créer une première image', href: '/creer?type=image' };
    case 'assistant':
      return { label: 'Connecter un assistant', href: '/applications/connecter' };
    case 'colleague':
      return { label: 'Inviter un collègue', href: '/equipe?inviter' };
  }
}
