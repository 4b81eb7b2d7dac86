import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { productsOf } from '#lib/products/registry.ts';
import { findTemplate, listTemplates } from '#lib/studio/templates/registry.ts';
import { TemplateEditor } from './editor.tsx';

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  return { title: findTemplate((await params).id)?.name ?? 'Gabarit' };
}

/** One template: its form and its preview. `?taille=` and `?produit=` choose the initial size and product. */
export default memberPage(
  { permission: 'generate', action: 'remplir un gabarit' },
  ({ ctx, params, query }) => {
    const template = listTemplates().find(({ id }) => id === params.id);
    if (!template) notFound();
    const products = productsOf(ctx.actor.accountId).map(({ id, name }) => ({ id, name }));
    const size = template.sizes.find(({ id }) => id === query.taille) ?? template.sizes[0];
    const product = products.find(({ id }) => id === query.produit)?.id ?? 'libre';
    return (
      <TemplateEditor
        memberId={ctx.actor.memberId}
        template={template}
        products={[...products, { id: 'libre', name: 'Libre, sans marque' }]}
        startSize={size?.id ?? ''}
        startProduct={query.produit === undefined ? (products[0]?.id ?? 'libre') : product}
      />
    );
  },
);
