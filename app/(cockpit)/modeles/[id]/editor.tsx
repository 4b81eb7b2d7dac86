'use client';
import { ArrowRight } from 'lucide';
import { useSearchParams } from 'next/navigation';
import { useLayoutEffect, useState } from 'react';
import { useOwnAddress, writeQuery } from '#app/_cockpit/address/use-own-address.ts';
import { hold, letGo } from '#app/_cockpit/drafts/tab-drafts.ts';
import { leaveRenderDraft, readRenderDraft, renderDraftName } from '#app/_cockpit/render-draft.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Select } from '#app/_ui/form/input.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import type { TemplateSummary } from '#lib/studio/templates/registry.ts';
import { TemplateFields, type Values } from './fields.tsx';
import { Preview } from './preview.tsx';
import { useDrawing } from './use-drawing.ts';

const holdsWords = (values: Values) => Object.values(values).some((value) => value.length > 0);

type EditorProps = {
  memberId: string;
  template: TemplateSummary;
  products: { id: string; name: string }[];
  startSize: string;
  startProduct: string;
};

/** The form of a template, with a preview of the render and the problems of its texts, both updated while the member types. */
export function TemplateEditor({ memberId, template, products, startSize, startProduct }: EditorProps) {
  const [values, setValues] = useState<Values>({});
  const [photos, setPhotos] = useState<Record<string, string>>({});
  // Read from the address: after « back », the router may show a page that was rendered for another size or product.
  const named = useSearchParams();
  const [size, setSize] = useState(
    template.sizes.find(({ id }) => id === named.get('taille'))?.id ?? startSize,
  );
  const [productId, setProductId] = useState(
    products.find(({ id }) => id === named.get('produit'))?.id ?? startProduct,
  );
  const [page, setPage] = useState(0);
  const { check, picture, state, refusal } = useDrawing({
    templateId: template.id,
    values,
    photos,
    size,
    productId,
    page,
  });
  const chosen = template.sizes.find(({ id }) => id === size) ?? template.sizes[0];

  // A layout effect: a later effect would overwrite what was typed before it, or find the draft replaced by it.
  useLayoutEffect(() => {
    const draft = readRenderDraft(memberId, template.id);
    const name = renderDraftName(memberId, template.id);
    if (draft) {
      setValues(draft.fields);
      if (holdsWords(draft.fields)) hold(name);
    }
    return () => letGo(name);
  }, [memberId, template.id]);
  // Keeps the size and the product in the address. The page is the same for all of them, so it is not read again; it adds no history entry,
  // so « back » leads to another page.
  useOwnAddress({
    isDrawn: true,
    isOwn: () => false,
    settle: () => {
      const query = new URLSearchParams({ taille: size, produit: productId });
      if (window.location.search !== `?${query}`) writeQuery(query);
    },
  });

  const leave = (fields: Values) =>
    leaveRenderDraft(memberId, { template: template.id, size, productId, fields });
  const change = (next: Values) => {
    setValues(next);
    leave(next);
    (holdsWords(next) ? hold : letGo)(renderDraftName(memberId, template.id));
  };
  const problems = check?.problems ?? [];
  const target = new URLSearchParams({
    type: 'render',
    modele: template.id,
    taille: size,
    produit: productId,
  });
  return (
    <>
      <PageHeader
        title={template.name}
        description={template.description}
        crumbs={[{ label: template.name }]}
        action={
          <LinkButton
            href={`/creer?${target}`}
            prefetch={false}
            variant="primary"
            icon={ArrowRight}
            onClick={() => {
              leave(values);
              // The composer keeps the draft from now on: closing the tab on this page needs no question.
              letGo(renderDraftName(memberId, template.id));
            }}
          >
            Continuer dans la composition
          </LinkButton>
        }
      />
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="min-w-0 max-lg:order-2">
          <div className="mb-6 grid gap-4 sm:grid-cols-2">
            <Field label="Produit" hint="Sa marque donne le nom et les couleurs.">
              <Select value={productId} onChange={(event) => setProductId(event.currentTarget.value)}>
                {products.map((product) => (
                  <option key={product.id} value={product.id}>
                    {product.name}
                  </option>
                ))}
              </Select>
            </Field>
            <div className="min-w-0">
              <p aria-hidden className="mb-1.5 font-medium text-sm">
                Format
              </p>
              <SegmentedControl
                label="Format"
                name="size"
                value={size}
                onChange={setSize}
                options={template.sizes.map(({ id, label }) => ({ value: id, label }))}
              />
              <p className="mt-1.5 text-ink-faint text-xs">
                {chosen?.width} × {chosen?.height} pixels
              </p>
            </div>
          </div>
          <TemplateFields
            definitions={template.fields}
            values={values}
            photos={photos}
            problems={problems}
            onChange={change}
            onPhoto={(id, data) =>
              setPhotos(({ [id]: _, ...rest }) => (data === null ? rest : { ...rest, [id]: data }))
            }
          />
        </div>
        <aside aria-label="Aperçu" className="min-w-0 max-lg:order-1 lg:sticky lg:top-20">
          <Preview
            name={template.name}
            size={chosen}
            picture={picture}
            state={state}
            refusal={refusal}
            pages={check?.pages ?? 1}
            page={page}
            onPage={setPage}
          />
          <Verdict
            template={template}
            problems={problems.length}
            missing={check?.missing ?? []}
            examples={check?.examples ?? []}
            ready={check !== null}
          />
        </aside>
      </div>
    </>
  );
}

type VerdictProps = {
  template: TemplateSummary;
  problems: number;
  missing: string[];
  examples: string[];
  ready: boolean;
};

/** What must be corrected or filled in before the render can be requested, and which fields show their example. */
function Verdict({ template, problems, missing, examples, ready }: VerdictProps) {
  const labels = (ids: string[]) => [
    ...new Set(ids.map((id) => template.fields.find((field) => field.id === id.split('[')[0])?.label ?? id)),
  ];
  const shown = labels(examples);
  const empty = labels(missing);
  return (
    // Rendered before it has content: a live region added together with its text is not always announced.
    <div role="status" className="mt-4 space-y-1.5 text-sm">
      {problems > 0 ? (
        <p className="font-medium text-fail">
          {count(problems, 'point')} à corriger avant de pouvoir rendre&nbsp;: chacun est marqué à son
          endroit.
        </p>
      ) : ready && empty.length === 0 ? (
        <p className="font-medium text-ok">Tout est rempli et relu. Le rendu peut être demandé.</p>
      ) : null}
      {empty.length > 0 ? <p className="text-ink-soft">À remplir&nbsp;: {empty.join(', ')}.</p> : null}
      {shown.length > 0 ? (
        <p className="text-ink-faint text-xs">L’aperçu montre l’exemple pour&nbsp;: {shown.join(', ')}.</p>
      ) : null}
    </div>
  );
}
