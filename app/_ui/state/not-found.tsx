import { Compass } from 'lucide';
import { LinkButton } from '../action/button.tsx';
import { EmptyState } from './states.tsx';

/** An address that leads nowhere, or to something of another account: both answer alike. */
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
