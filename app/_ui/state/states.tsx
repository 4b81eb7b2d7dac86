import { CircleAlert, Lock } from 'lucide';
import type { ReactNode } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';
import { founderWords } from './founder-words.ts';
import { RequestId } from './notice.tsx';

type FrameProps = {
  icon: IconDrawing;
  title: string;
  tone?: string;
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  className?: string;
};

function Frame({
  icon,
  title,
  tone = 'bg-hover text-ink-soft',
  heading: H = 'h2',
  children,
  className,
}: FrameProps) {
  return (
    <section
      className={cx(
        'wrap-anywhere mx-auto flex max-w-lg flex-col items-center px-4 py-14 text-center',
        className,
      )}
    >
      <span className={cx('mb-4 grid size-10 place-items-center rounded-full', tone)}>
        <Icon of={icon} size={20} strokeWidth={1.75} />
      </span>
      <H className="font-semibold text-base">{title}</H>
      {children}
    </section>
  );
}

type EmptyStateProps = {
  icon: IconDrawing;
  /** The purpose of the page, in one sentence. */
  title: string;
  children?: ReactNode;
  /** The first action to take. */
  action?: ReactNode;
  /** A small example of what the page will show. */
  example?: ReactNode;
  heading?: 'h1' | 'h2';
  className?: string;
};

/** A page without data yet: its purpose, the first action, an example. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  example,
  heading = 'h2',
  className,
}: EmptyStateProps) {
  return (
    <Frame icon={icon} title={title} heading={heading} className={className ?? ''}>
      {children ? <div className="mt-1.5 text-ink-soft">{children}</div> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
      {example ? (
        // Words of an example are whole: broken anywhere, an amount beside a long title stands letter under letter on a phone.
        <figure className="wrap-normal mt-8 w-full rounded-md border border-line border-dashed p-4 text-left">
          <figcaption className="mb-2 text-ink-faint text-xs">Exemple</figcaption>
          {example}
        </figure>
      ) : null}
    </Frame>
  );
}

type ErrorStateProps = {
  /** What happened. */
  title?: string;
  /** What was kept, and what to do next. */
  children?: ReactNode;
  requestId?: string | undefined;
  retry?: ReactNode;
  heading?: 'h1' | 'h2';
};

/** A part or a page that could not be shown: what happened, what was kept, how to retry. */
export function ErrorState({
  title = 'Cette page n’a pas pu être préparée',
  children = 'Rien n’a été perdu ni débité. Réessayez\u00a0; si cela se répète, citez cet identifiant.',
  requestId,
  retry,
  heading = 'h2',
}: ErrorStateProps) {
  return (
    <Frame icon={CircleAlert} title={title} tone="bg-fail-soft text-fail" heading={heading}>
      <div className="mt-1.5 text-ink-soft">{children}</div>
      {retry ? <div className="mt-5 flex flex-wrap justify-center gap-2">{retry}</div> : null}
      {requestId ? (
        <div className="mt-4 max-w-full">
          <RequestId id={requestId} />
        </div>
      ) : null}
    </Frame>
  );
}

type NoPermissionProps = {
  /** What the member may not do, as a verb: « créer un espace ». */
  action: string;
  /** The names of the account's founders, who can grant the permission. */
  founders?: string[];
  /** For a permission that no founder can grant to a member. */
  founderOnly?: boolean;
  heading?: 'h1' | 'h2';
};

/** Says which permission is missing, and who can grant it. */
export function NoPermission({ action, founders = [], founderOnly, heading = 'h2' }: NoPermissionProps) {
  const who = founderWords(founders);
  return (
    <Frame icon={Lock} title={`Vous ne pouvez pas ${action}`} heading={heading}>
      <p className="mt-1.5 text-ink-soft">
        {founderOnly
          ? `Cette page est réservée aux fondateurs du compte. Adressez-vous à ${who}.`
          : `Ce droit s’accorde sur la page Équipe. Demandez-le à ${who}.`}
      </p>
    </Frame>
  );
}
