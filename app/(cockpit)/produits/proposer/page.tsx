import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { nbsp } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { productsOf } from '#lib/products/registry.ts';
import { ProposalForm } from './proposal-form.tsx';

export const metadata: Metadata = { title: 'Proposer un produit' };

/** The form that proposes a new product, or a change of the product `?produit=`. It results in a pull request to be reviewed. */
export default memberPage(
  { permission: 'products.propose', action: 'proposer un produit' },
  async ({ ctx, query }) => {
    const changed = productsOf(ctx.actor.accountId).find(({ id }) => id === query.produit);
    if (query.produit !== undefined && !changed) notFound();
    const names = (await listSpaceNames(ctx)).map(({ name }) => name);
    const known = changed?.spaceName;
    if (known !== undefined && !names.includes(known)) names.unshift(known);
    const title = changed ? nbsp(`Changer «\u00a0${changed.name}\u00a0»`) : 'Proposer un produit';
    return (
      <>
        <PageHeader
          title={title}
          description="Les règles du registre jugent ce que vous proposez. Il en sort une demande de modification prête à faire relire&nbsp;: d’ici là, rien ne change."
          crumbs={[{ label: title }]}
        />
        <ProposalForm
          changes={changed?.id ?? null}
          product={{
            name: changed?.name ?? '',
            spaceName: known ?? '',
            tone: changed?.brand?.tone ?? '',
            promises: changed?.brand?.promises ?? [],
            shopDomains: changed?.references.shopDomains ?? [],
          }}
          spaces={[...new Set(names)]}
        />
      </>
    );
  },
);
