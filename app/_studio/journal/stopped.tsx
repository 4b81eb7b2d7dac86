'use client';
import { RefreshCw } from 'lucide';
import { Button, buttonClass } from '#app/_ui/action/button.tsx';
import type { ApiError } from '#app/_ui/api-error.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { signInPath } from '#lib/http/security/return-path.ts';

/** Why the list is no longer kept up to date, and how to continue. */
export default function Stopped({ error }: { error: ApiError }) {
  const isSignedOut = error.status === 401;
  const { pathname, search } = window.location;
  return (
    <Notice
      tone="warn"
      role="alert"
      className="mb-4"
      action={
        isSignedOut ? (
          // A full page load: the router would keep what was read in the former session.
          <a href={signInPath(pathname + search)} className={buttonClass('secondary', 'sm')}>
            Se connecter
          </a>
        ) : (
          <Button size="sm" icon={RefreshCw} onClick={() => window.location.reload()}>
            Recharger
          </Button>
        )
      }
    >
      {isSignedOut ? 'Votre session est terminée.' : error.message} Cette page ne se met plus à jour.
    </Notice>
  );
}
