// biome-ignore-all lint/performance/noImgElement: pictures of ours that only a signed-in member may read
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Card } from '#app/_ui/data/card.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { hasPermission } from '#lib/core/actor.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { listTemplates, type TemplateSummary } from '#lib/studio/templates/registry.ts';

export const metadata: Metadata = { title: 'Gabarits' };

/** The templates, each with an example drawn by the code that draws the renders. For a member who may not generate, they open their example. */
export default memberPage({}, async ({ ctx }) => {
  const templates = listTemplates();
  const mayFill = hasPermission(ctx.actor, 'generate');
  const founders = mayFill ? [] : await listFounderNames(ctx);
  return (
    <>
      <PageHeader
        title="Gabarits"
        description={`${count(templates.length, 'gabarit')} à remplir, aux couleurs du produit. Les textes sont relus avant tout rendu.`}
      />
      {mayFill ? null : (
        <Notice tone="info" className="mb-6">
          Chaque exemple s’ouvre en grand. Pour remplir un gabarit, demandez le droit de générer à{' '}
          {founderWords(founders)}.
        </Notice>
      )}
      <h2 className="sr-only">Tous les gabarits</h2>
      <ul role="list" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {templates.map((template) => (
          <li key={template.id} className="min-w-0">
            {mayFill ? (
              <Card href={`/modeles/${template.id}`} title={template.name} className="flex h-full flex-col">
                <Example template={template} />
              </Card>
            ) : (
              <article className="flex h-full min-w-0 flex-col rounded-md border border-line bg-surface p-4">
                <h3 className="truncate font-medium text-base">{template.name}</h3>
                <Example template={template} isOpened />
              </article>
            )}
          </li>
        ))}
      </ul>
    </>
  );
});

/** The example of a template, its description and its sizes. `isOpened`: the picture links to the image alone. */
function Example({ template, isOpened = false }: { template: TemplateSummary; isOpened?: boolean }) {
  const src = `/api/templates/${template.id}/example`;
  const picture = (
    <img
      src={src}
      alt={`Exemple du gabarit ${template.name}`}
      width={template.sizes[0]?.width}
      height={template.sizes[0]?.height}
      loading="lazy"
      decoding="async"
      className="absolute inset-0 m-auto h-auto max-h-56 w-auto max-w-[calc(100%-2rem)] rounded-xs shadow-raised"
    />
  );
  return (
    <>
      <div className="-mx-4 -mt-4 relative order-first mb-4 h-64 overflow-hidden rounded-t-md border-line border-b bg-sunken">
        {isOpened ? (
          <a
            href={src}
            target="_blank"
            rel="noopener noreferrer"
            className="absolute inset-0 focus-visible:-outline-offset-2"
          >
            {picture}
          </a>
        ) : (
          picture
        )}
      </div>
      <p className="mt-1 text-ink-soft text-sm">{template.description}</p>
      <p className="mt-auto pt-3 text-ink-faint text-xs">
        {template.sizes.map((size) => size.label).join(' · ')}
      </p>
    </>
  );
}
