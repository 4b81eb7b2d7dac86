import { BookUser } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count, number } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Picture } from '#app/_ui/state/picture.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import { findProduct } from '#lib/products/registry.ts';
import { type AvatarWithUses, listAvatarsWithUses } from '#lib/storage/assets/list-avatars-with-uses.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import { DeleteAvatar } from './delete-avatar.tsx';
import { restWords, usesWords } from './use-words.ts';

export const metadata: Metadata = { title: 'Avatars' };
/** In seconds. This page also runs actions of the bin: the undo of a deletion. */
export const maxDuration = 60;

const PATH = '/avatars';

export default memberPage(
  { permission: 'generate', action: 'consulter les avatars' },
  async ({ ctx, query, now }) => {
    const productId = query.produit || undefined;
    const page = await listAvatarsWithUses(ctx, { productId, before: query.avant });
    const nameOf = (id: string) => findProduct(ctx.actor.accountId, id)?.name ?? id;
    const all = page.products.reduce((sum, { avatars }) => sum + avatars, 0);
    const here = productId ? (page.products.find((one) => one.productId === productId)?.avatars ?? 0) : all;
    return (
      <>
        <PageHeader
          title="Avatars"
          description="Les visages gardés pour être repris d’une image à l’autre. Un avatar garde son fichier au-delà de 30 jours."
          action={
            <LinkButton variant="primary" href="/creer?type=image">
              Créer une image
            </LinkButton>
          }
        />
        {all === 0 ? (
          <EmptyState
            icon={BookUser}
            title="Un avatar garde un visage d’une génération à l’autre"
            action={<LinkButton href="/journal?kind=image">Choisir une image du journal</LinkButton>}
            example={
              <p className="text-sm">«&nbsp;Agnès, portrait d’atelier&nbsp;», utilisé dans 4 vidéos.</p>
            }
          >
            Ouvrez une image du journal, puis «&nbsp;Garder comme avatar&nbsp;». Elle pourra servir de
            personnage à une vidéo.
          </EmptyState>
        ) : (
          <>
            {page.products.length > 1 ? (
              <nav aria-label="Produits" className="mb-5 flex flex-wrap gap-2">
                <FilterChip href={PATH} label={`Tous · ${number(all)}`} active={!productId} />
                {page.products.map((one) => (
                  <FilterChip
                    key={one.productId}
                    href={withQuery(PATH, { produit: one.productId })}
                    label={`${nameOf(one.productId)} · ${number(one.avatars)}`}
                    active={productId === one.productId}
                  />
                ))}
              </nav>
            ) : null}
            {page.avatars.length === 0 ? (
              <EmptyState
                icon={BookUser}
                title={query.avant ? 'Aucun avatar plus ancien' : 'Aucun avatar pour ce produit'}
                action={<LinkButton href={PATH}>Voir tous les avatars</LinkButton>}
              />
            ) : (
              <ul role="list" className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 xl:grid-cols-4">
                {page.avatars.map((avatar) => (
                  <AvatarTile key={avatar.id} avatar={avatar} product={nameOf(avatar.productId)} now={now} />
                ))}
              </ul>
            )}
            <Pagination
              summary={`${number(page.avatars.length)} sur ${count(here, 'avatar')}`}
              toFirst
              previousHref={query.avant ? withQuery(PATH, { produit: productId }) : undefined}
              nextHref={
                page.nextBefore ? withQuery(PATH, { produit: productId, avant: page.nextBefore }) : undefined
              }
            />
          </>
        )}
      </>
    );
  },
);

type AvatarTileProps = { avatar: AvatarWithUses; product: string; now: Date };

function AvatarTile({ avatar, product, now }: AvatarTileProps) {
  const rest = restWords(avatar.useCount, avatar.uses.length);
  const picture = (
    <Picture
      src={fileUrl(avatar.pathname)}
      alt=""
      loading="lazy"
      decoding="async"
      className="size-full object-cover transition-opacity hover:opacity-90"
    />
  );
  return (
    <li className="flex min-w-0 flex-col">
      <div className="aspect-square overflow-hidden rounded-md border border-line bg-sunken">
        {avatar.generationId ? (
          <Link
            href={`/journal/${avatar.generationId}`}
            aria-label={`${avatar.name}\u00a0: ouvrir l’image d’origine`}
            className="block size-full focus-visible:-outline-offset-2"
          >
            {picture}
          </Link>
        ) : (
          picture
        )}
      </div>
      <div className="mt-2 flex items-start gap-1">
        <div className="min-w-0 grow">
          <h2 className="truncate font-medium text-sm" data-tip={avatar.name}>
            {avatar.name}
          </h2>
          <p className="truncate text-ink-faint text-xs" data-tip={product}>
            {product}
          </p>
          <p className="wrap-anywhere text-ink-faint text-xs">
            Gardé <Time at={avatar.createdAt} now={now} />
            {avatar.memberName ? <span className="max-sm:hidden"> par {avatar.memberName}</span> : null}
          </p>
        </div>
        <DeleteAvatar avatarId={avatar.id} name={avatar.name} />
      </div>
      {avatar.useCount === 0 ? (
        <p className="mt-1 text-ink-faint text-xs">Pas encore utilisé</p>
      ) : (
        <details className="mt-1 text-xs">
          <summary className="w-fit text-ink-soft leading-6">
            Utilisé dans {usesWords(avatar.useCount)}
          </summary>
          <ul role="list" className="mt-1 space-y-1 border-line border-l pl-2.5">
            {avatar.uses.map((use) => (
              <li key={use.id} className="min-w-0">
                <Link
                  href={`/journal/${use.id}`}
                  className="block truncate text-accent-ink leading-6 underline-offset-4 hover:underline"
                >
                  {KIND_LABELS[use.kind]}
                  {use.brief ? ` · ${use.brief}` : ''}
                </Link>
              </li>
            ))}
            {rest ? <li className="text-ink-faint">{rest}</li> : null}
          </ul>
        </details>
      )}
    </li>
  );
}
