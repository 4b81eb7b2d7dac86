import { Inbox, Plus } from 'lucide';
import type { Metadata } from 'next';
import { Button } from '../_ui/action/button.tsx';
import { Section } from '../_ui/data/card.tsx';
import { Ring } from '../_ui/data/gauges.tsx';
import { PageHeader } from '../_ui/shell/page-header.tsx';
import { Notice } from '../_ui/state/notice.tsx';
import { CardsSkeleton, PageHeaderSkeleton, RowsSkeleton } from '../_ui/state/skeleton.tsx';
import { EmptyState, ErrorState, NoPermission } from '../_ui/state/states.tsx';
import { Actions, Forms, Overlays } from './controls.tsx';
import { Colours, Comparison, DataParts, Texts } from './data.tsx';

export const metadata: Metadata = { title: 'Composants' };

export default function GuidePage() {
  return (
    <>
      <PageHeader
        title="Composants"
        aside={<Ring value={62} label="Couverture" size={32} />}
        description="Chaque élément du cockpit dans ses états, avec des données inventées."
        crumbs={[{ label: 'Composants' }]}
        action={
          <Button variant="primary" icon={Plus}>
            Créer un espace
          </Button>
        }
      />
      <div className="space-y-12">
        <Colours />
        <Actions />
        <Forms />
        <Overlays />
        <DataParts />
        <Comparison />
        <Texts />
        <Section title="États">
          <div className="grid gap-3 lg:grid-cols-2">
            <Notice tone="info">L’import continue pendant que vous travaillez.</Notice>
            <Notice tone="ok">Les 24 fichiers ont été importés.</Notice>
            <Notice tone="warn">
              Le contexte est partiel&nbsp;: 3 mémoires ne tiennent pas dans 4 000 caractères.
            </Notice>
            <Notice tone="fail" requestId="req_01JDG5T8Z6M2Q4W7Y9">
              La page du site n’a pas répondu. Rien n’a été importé&nbsp;; réessayez plus tard.
            </Notice>
          </div>
          <div className="mt-4 grid items-start gap-4 lg:grid-cols-3">
            <EmptyState
              icon={Inbox}
              title="Un espace réunit ce qu’il faut savoir d’une marque"
              action={<Button variant="primary">Créer un espace</Button>}
              example={<p className="text-sm">«&nbsp;Nous tutoyons nos clients, jamais la presse.&nbsp;»</p>}
            >
              Vos textes y sont rangés en cinq piliers, prêts pour vos prompts.
            </EmptyState>
            <ErrorState
              title="Le journal n’a pas pu être lu"
              requestId="req_01JDG5T8Z6M2Q4W7Y9"
              retry={<Button variant="primary">Réessayer</Button>}
            />
            <NoPermission action="modifier les mémoires" founders={['Camille Ferrand', 'Inès Roy']} />
          </div>
        </Section>
        <Section title="Chargement">
          <PageHeaderSkeleton />
          <CardsSkeleton cards={3} />
          <RowsSkeleton rows={3} className="mt-6" />
        </Section>
      </div>
    </>
  );
}
