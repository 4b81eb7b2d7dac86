import { FilePlus2, Package } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { bytes, count, number } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { hasPermission } from '#lib/core/actor.ts';
import { listProducts } from '#lib/products/list-products.ts';
import {
  listUnregisteredProducts,
  type UnregisteredProduct,
} from '#lib/storage/deletion/list-unregistered-products.ts';
import { ConceptsLessonsRushes } from './concepts-lessons-rushes.tsx';
import { ProductSheet } from './product-sheet.tsx';
import { PurgeDialog } from './purge-dialog.tsx';

export const metadata: Metadata = { title: 'Produits' };
/** In seconds. A purge starts no new step after 45 s. */
export const maxDuration = 60;

export default memberPage({}, async ({ ctx, query, now }) => {
  const products = await listProducts(ctx);
  const canPurge = hasPermission(ctx.actor, 'storage.purge');
  const canPropose = hasPermission(ctx.actor, 'products.propose');
  const canGenerate = hasPermission(ctx.actor, 'generate');
  const left = canPurge
    ? await listUnregisteredProducts(
        ctx,
        products.map(({ id }) => id),
      )
    : [];
  return (
    <>
      <PageHeader
        title="Produits"
        description="Ce que le Studio sait de chaque produit&nbsp;: sa marque, ses boutiques, l’espace qui fait foi."
        action={
          <>
            {canPropose ? (
              <LinkButton
                variant={products.length > 0 ? 'secondary' : 'primary'}
                icon={FilePlus2}
                href="/produits/proposer"
              >
                Proposer un produit
              </LinkButton>
            ) : null}
            {canGenerate && products.length > 0 ? (
              <LinkButton variant="primary" href={`/creer?produit=${products[0]?.id}`}>
                Créer pour un produit
              </LinkButton>
            ) : null}
          </>
        }
      />
      <div className="space-y-10">
        <Notice tone="info">
          Le registre des produits se lit ici et se modifie ailleurs&nbsp;: dans le code d’Atelier, par une
          demande de modification relue. Aucun réglage ni aucune variable ne le change.
          {canPropose
            ? ' Vous pouvez préparer cette demande ici.'
            : ' Un fondateur peut préparer cette demande.'}
        </Notice>
        {products.length === 0 ? (
          <EmptyState icon={Package} title="Un produit donne sa marque à tout ce qui est généré pour lui">
            Ce compte n’en a pas encore.{' '}
            {canPropose ? 'Proposez-le au registre' : 'Un fondateur peut le proposer au registre'}&nbsp;; en
            attendant, tout se crée en «&nbsp;Libre&nbsp;».
          </EmptyState>
        ) : (
          <ul role="list" className="space-y-8">
            {products.map((product) => (
              <ProductSheet key={product.id} product={product} {...{ canPropose, canGenerate }} />
            ))}
          </ul>
        )}
        <ConceptsLessonsRushes ctx={ctx} query={query} now={now} />
        {left.length > 0 ? (
          <Section
            id="hors-registre"
            title="Hors du registre"
            description={`${count(left.length, 'produit nommé', 'produits nommés')} par le journal et plus par le registre. Une purge supprime ses fichiers\u00a0; le journal et les coûts restent.`}
          >
            <DataTable
              caption="Produits hors du registre"
              columns={columns(now)}
              rows={left}
              rowKey={(one) => one.productId}
            />
          </Section>
        ) : null}
      </div>
    </>
  );
});

const filesOf = (one: UnregisteredProduct) => one.assets + one.uploads + one.rushes;

function columns(now: Date): Column<UnregisteredProduct>[] {
  return [
    {
      key: 'id',
      label: 'Identifiant',
      primary: true,
      render: (one) => <span className="wrap-anywhere font-mono">{one.productId}</span>,
    },
    {
      key: 'rows',
      label: 'Journal',
      numeric: true,
      render: (one) =>
        one.generations === 0 ? (
          '—'
        ) : (
          <Link
            href={`/journal?productId=${encodeURIComponent(one.productId)}`}
            className="text-accent-ink underline underline-offset-4"
          >
            {number(one.generations)}
          </Link>
        ),
    },
    { key: 'files', label: 'Fichiers', numeric: true, render: (one) => number(filesOf(one)) },
    { key: 'avatars', label: 'Avatars', numeric: true, render: (one) => number(one.avatars) },
    { key: 'bytes', label: 'Place', numeric: true, render: (one) => bytes(Number(one.bytes)) },
    {
      key: 'last',
      label: 'Dernière demande',
      wide: true,
      render: (one) =>
        one.lastAt ? <Time at={one.lastAt} now={now} className="whitespace-nowrap text-ink-soft" /> : '—',
    },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (one) =>
        filesOf(one) + one.avatars === 0 ? (
          <span className="text-ink-faint text-xs">Déjà purgé</span>
        ) : (
          <PurgeDialog productId={one.productId} files={filesOf(one)} size={Number(one.bytes)} />
        ),
    },
  ];
}
