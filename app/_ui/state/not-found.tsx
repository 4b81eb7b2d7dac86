import { Compass } from 'lucide';
import { LinkButton } from '../action/button.tsx';
import { EmptyState } from './states.tsx';

/** The page of an unknown address. A row of another account is answered in the same way as a missing one. */
export function NothingHere() {
  return (
    <>
      <title>Page introuvable · Atelier</title>
      <EmptyState
        icon={Compass}
        heading="h1"
        title="Cette page n’existe pas, ou n’existe plus"
        action={
          <LinkButton href="/espaces" variant="primary">
            Aller aux espaces
          </LinkButton>
        }
      >
        L’adresse est peut-être incomplète, ou l’élément a été supprimé. S’il est dans un autre de vos
        comptes, passez d’abord sur celui-ci.
      </EmptyState>
    </>
  );
}
