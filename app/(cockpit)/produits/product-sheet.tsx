import { Check } from 'lucide';
import Link from 'next/link';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { nbsp } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import type { ProductView } from '#lib/products/list-products.ts';

const COLOURS = { colour: 'Couleur', ink: 'Encre', paper: 'Papier' } as const;

type ProductSheetProps = {
  product: ProductView;
  canPropose: boolean;
  /** This permission is also the one to read the journal. */
  canGenerate: boolean;
};

/** A product as the registry declares it. */
export function ProductSheet({ product, canPropose, canGenerate }: ProductSheetProps) {
  const { brand, references } = product;
  const colours = Object.entries(COLOURS).flatMap(([key, label]) => {
    const value = brand?.colours?.[key as keyof typeof COLOURS];
    return value ? [{ label, value }] : [];
  });
  return (
    <li id={product.id} className="border-line border-t pt-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="wrap-anywhere font-semibold text-base">{product.name}</h2>
          <p className="font-mono text-ink-faint text-xs">{product.id}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {canPropose ? (
            <LinkButton size="sm" href={`/produits/proposer?produit=${product.id}`}>
              Proposer un changement
              <span className="sr-only"> {nbsp(`de «\u00a0${product.name}\u00a0»`)}</span>
            </LinkButton>
          ) : null}
          {canGenerate ? (
            <LinkButton size="sm" href={`/journal?productId=${product.id}`}>
              <Named about={`«\u00a0${product.name}\u00a0»`}>Voir au journal</Named>
            </LinkButton>
          ) : null}
        </div>
      </div>
      <div className="mt-4 grid gap-x-10 gap-y-5 md:grid-cols-2">
        <dl className="space-y-4 text-sm">
          <Fact label="Ton">{brand?.tone ? nbsp(brand.tone) : <None>Aucun ton déclaré</None>}</Fact>
          <Fact label="Couleurs">
            {colours.length > 0 ? (
              <span className="flex flex-wrap gap-x-5 gap-y-2">
                {colours.map(({ label, value }) => (
                  <span key={label} className="inline-flex items-center gap-2">
                    <span
                      aria-hidden
                      className="size-5 rounded-xs border border-line"
                      style={{ backgroundColor: value }}
                    />
                    {label} <span className="font-mono text-ink-faint text-xs">{value}</span>
                  </span>
                ))}
              </span>
            ) : (
              <None>Celles d’Atelier</None>
            )}
          </Fact>
          <Fact label="Espace qui fait foi">
            {product.space ? (
              <Link
                href={`/espaces/${product.space.id}`}
                className="text-accent-ink underline underline-offset-4"
              >
                {product.space.name}
              </Link>
            ) : product.spaceName ? (
              <span className="text-warn">
                «&nbsp;{product.spaceName}&nbsp;» est introuvable&nbsp;: renommé ou archivé. Ses faits ne
                comptent plus.
              </span>
            ) : product.namesSpace ? (
              <None>Aucun de ceux qui vous sont ouverts&nbsp;: ses faits ne comptent pas pour vous</None>
            ) : (
              <None>Aucun&nbsp;: les chiffres des textes ne sont pas vérifiés</None>
            )}
          </Fact>
        </dl>
        <dl className="space-y-4 text-sm">
          <Fact label="Promesses">
            {brand?.promises?.length ? (
              <ul role="list" className="space-y-1">
                {brand.promises.map((promise) => (
                  <li key={promise} className="flex items-start gap-2">
                    <Icon of={Check} size={16} className="mt-0.5 shrink-0 text-ok" />
                    <span className="wrap-anywhere">{promise}</span>
                  </li>
                ))}
              </ul>
            ) : (
              <None>Aucune promesse déclarée</None>
            )}
          </Fact>
          {brand?.pronunciations?.length ? (
            <Fact label="Prononciations des voix">
              {brand.pronunciations
                .map(({ written, spoken }) => `${written} se dit « ${spoken} »`)
                .join(', ')}
            </Fact>
          ) : null}
          <Fact label="Boutiques d’où lire une référence">
            {references.shopDomains.length > 0 ? (
              <ul role="list" className="space-y-0.5 font-mono text-[0.9375em]">
                {references.shopDomains.map((host) => (
                  <li key={host} className="wrap-anywhere">
                    {host}
                  </li>
                ))}
              </ul>
            ) : (
              <None>Aucune&nbsp;: envoyez les fichiers</None>
            )}
          </Fact>
        </dl>
      </div>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-ink-faint text-xs">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function None({ children }: { children: React.ReactNode }) {
  return <span className="text-ink-soft">{children}</span>;
}
