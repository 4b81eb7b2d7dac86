'use client';
import { RotateCcw } from 'lucide';
import { Button, LinkButton } from './_ui/action/button.tsx';
import { ErrorState } from './_ui/state/states.tsx';

type ErrorPageProps = { error: unknown; retry: () => void };

/** A page that failed: what is safe, try again, and the reference that finds it in the log. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : undefined;
  return (
    <ErrorState
      heading="h1"
      requestId={digest}
      retry={
        <>
          <Button variant="primary" icon={RotateCcw} onClick={() => retry()}>
            Réessayer
          </Button>
          <LinkButton href="/espaces">Revenir aux espaces</LinkButton>
        </>
      }
    />
  );
}
