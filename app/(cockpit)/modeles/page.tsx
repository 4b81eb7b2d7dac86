// biome-ignore-all lint/performance/noImgElement: pictures of ours that only a signed-in member may read
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Card } from '#app/_ui/data/card.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { listTemplates } from '#lib/studio/templates/registry.ts';

export const metadata: Metadata = { title: 'Gabarits' };

/** The templates with their own example drawn by the code that draws the renders. */
export default memberPage({}, () => {
  const templates = listTemplates();
  return (
    <>
      <PageHeader
        title="Gabarits"
        description={`${count(templates.length, 'gabarit')} à remplir, aux couleurs du produit. Les textes sont relus avant tout rendu.`}
      />
      <h2 className="sr-only">Tous les gabarits</h2>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {templates.map((template) => (
          <li key={template.id} className="min-w-0">
            <Card href={`/modeles/${template.id}`} title={template.name} className="flex h-full flex-col">
              <div className="-mx-4 -mt-4 relative order-first mb-4 h-64 overflow-hidden rounded-t-md border-line border-b bg-sunken">
                <img
                  src={`/api/templates/${template.id}/example`}
                  alt={`Exemple du gabarit ${template.name}`}
                  width={template.sizes[0]?.width}
                  height={template.sizes[0]?.height}
                  loading="lazy"
                  decoding="async"
                  className="absolute inset-0 m-auto h-auto max-h-56 w-auto max-w-[calc(100%-2rem)] rounded-xs shadow-raised"
                />
              </div>
              <p className="mt-1 text-ink-soft text-sm">{template.description}</p>
              <p className="mt-auto pt-3 text-ink-faint text-xs">
                {template.sizes.map((size) => size.label).join(' · ')}
              </p>
            </Card>
          </li>
        ))}
      </ul>
    </>
  );
});
