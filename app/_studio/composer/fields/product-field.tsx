'use client';
import { withChosen } from '#app/_studio/with-chosen.ts';
import { Field } from '#app/_ui/form/field.tsx';
import { Select } from '#app/_ui/form/input.tsx';
import type { ComposerData } from '../draft/draft.ts';
import type { FieldsProps } from './fields.tsx';

/** The product of the request, and what its brand adds. */
export default function ProductField({
  draft,
  data,
  change,
  problem,
  product,
}: FieldsProps & { product: ComposerData['products'][number] | undefined }) {
  const error = problem('productId');
  return (
    <div className="flex flex-col gap-2">
      <Field label="Produit" {...(error ? { error } : {})}>
        <Select
          value={draft.productId}
          onChange={(event) => change({ productId: event.currentTarget.value })}
        >
          {withChosen(data.products, draft.productId, 'Produit introuvable').map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      </Field>
      {product?.tone || product?.promises.length ? (
        <details className="rounded-md border border-line bg-surface px-3 py-2 text-sm" open>
          <summary className="cursor-pointer font-medium">La marque qui se joint à la demande</summary>
          {product.tone ? <p className="mt-2 text-ink-soft">{product.tone}</p> : null}
          {product.promises.length > 0 ? (
            <ul role="list" className="mt-2 list-disc pl-5 text-ink-soft">
              {product.promises.map((promise) => (
                <li key={promise}>{promise}</li>
              ))}
            </ul>
          ) : null}
          {product.shopDomains.length > 0 ? (
            <p className="mt-2 text-ink-faint text-xs">
              Références acceptées depuis {product.shopDomains.join(', ')}.
            </p>
          ) : null}
        </details>
      ) : null}
    </div>
  );
}
