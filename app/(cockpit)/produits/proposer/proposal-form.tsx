'use client';
import { useRef, useState } from 'react';
import { forgetFields, KeptFields } from '#app/_cockpit/drafts/kept-fields.tsx';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import type { ProductPullRequest } from '#lib/products/proposals/pull-request.ts';
import { propose } from './actions.ts';
import { ReadyRequest } from './ready-request.tsx';

type ProposalFormProps = {
  /** The identifier of the product to change; null for a new product. */
  changes: string | null;
  product: {
    name: string;
    spaceName: string;
    tone: string;
    promises: readonly string[];
    shopDomains: readonly string[];
  };
  spaces: readonly string[];
};

/** The fields of a product and, once the registry's rules accept them, the pull request. */
export function ProposalForm({ changes, product, spaces }: ProposalFormProps) {
  const [ready, setReady] = useState<ProductPullRequest | null>(null);
  // The pull request exists on this page only, so the fields are kept until it is downloaded.
  const draft = `produit:${changes ?? ''}`;
  const isSent = useRef(false);
  return (
    <div className="max-w-3xl space-y-10">
      <Form
        action={propose}
        holdBack={() => {
          isSent.current = true;
          return false;
        }}
        // An answer is dropped if the fields changed while it was awaited: it is not about them, and showing it would move the focus.
        onDone={({ data }) => {
          if (isSent.current) setReady(data ?? null);
        }}
        onInput={() => {
          isSent.current = false;
          setReady(null);
        }}
        className="flex flex-col gap-5"
      >
        <KeptFields name={draft}>
          {changes === null ? (
            <Field
              label="Identifiant"
              name="id"
              hint="De 3 à 40 lettres minuscules, chiffres ou traits d’union. Il nomme un dossier de fichiers et ne resservira jamais."
              required
            >
              <Input mono autoComplete="off" autoCapitalize="off" spellCheck={false} />
            </Field>
          ) : (
            <input type="hidden" name="changes" value={changes} />
          )}
          <Field label="Nom" name="name" required>
            <Input defaultValue={product.name} autoComplete="off" />
          </Field>
          <Field
            label="Espace qui fait foi"
            name="spaceName"
            hint="Les chiffres des textes du produit sont vérifiés dans ses faits."
            optional
          >
            <Select defaultValue={product.spaceName}>
              <option value="">Aucun</option>
              {spaces.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Ton" name="tone" optional>
            <Textarea defaultValue={product.tone} rows={3} maxLength={300} counter />
          </Field>
          <Field
            label="Promesses"
            name="promises"
            hint="Une par ligne, 12 au plus. Chacune doit pouvoir être prouvée."
            optional
          >
            <Textarea defaultValue={product.promises.join('\n')} rows={4} />
          </Field>
          <Field
            label="Boutiques d’où lire une référence"
            name="shopDomains"
            hint="Une par ligne, 10 au plus, comme www.boutique.fr. Le Studio n’ira lire que chez elles."
            optional
          >
            <Textarea
              defaultValue={product.shopDomains.join('\n')}
              rows={3}
              mono
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
          <Field
            label="Pour qui relit"
            name="note"
            hint="Pourquoi, et ce qui prouve que les boutiques et les promesses sont les vôtres."
            optional
          >
            <Textarea rows={3} />
          </Field>
        </KeptFields>
        <div className="flex flex-wrap justify-end gap-2">
          <LinkButton href="/produits">Revenir aux produits</LinkButton>
          <SubmitButton>Préparer la demande</SubmitButton>
        </div>
      </Form>
      {ready ? <ReadyRequest request={ready} onSaved={() => forgetFields(draft)} /> : null}
    </div>
  );
}
